//! Indices: `a(2, :)`, `a(end)`, `a(a > 0)`, and what is put there by an assignment.

use super::operate::{LARGEST, size};
use crate::value::{Class, Matrix};

/// One index: everything, or places from 0.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Places {
    All,
    /// The places, and the size that they have as an index.
    Some(Vec<usize>, Vec<usize>),
}

/// The places that a value means as an index.
pub(super) fn places(index: &Matrix) -> Result<Places, String> {
    if index.class == Class::Boolean {
        let chosen: Vec<usize> = index
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| **entry != 0.0)
            .map(|(place, _)| place)
            .collect();
        let count = chosen.len();
        return Ok(Places::Some(chosen, if index.rows() == 1 { vec![1, count] } else { vec![count, 1] }));
    }
    let place = |&number: &f64| {
        let whole = number >= 1.0 && number.fract() == 0.0 && number <= LARGEST as f64;
        if whole {
            Ok(number as usize - 1)
        } else {
            Err(format!("`{number}` is no index; indices begin at 1"))
        }
    };
    Ok(Places::Some(index.entries.iter().map(place).collect::<Result<_, _>>()?, index.dimensions.clone()))
}

/// The size of a matrix as `count` indices see it: the last one takes the dimensions that are left.
pub(super) fn extents(matrix: &Matrix, count: usize) -> Vec<usize> {
    let known = |k: usize| matrix.dimensions.get(k).copied().unwrap_or(1);
    (0..count)
        .map(|k| if k + 1 == count { matrix.dimensions.iter().skip(k).product() } else { known(k) })
        .collect()
}

/// The entries at some places.
pub(super) fn get(matrix: &Matrix, indices: &[Places]) -> Result<Matrix, String> {
    if indices.is_empty() {
        return Ok(matrix.clone());
    }
    let extents = extents(matrix, indices.len());
    let chosen: Vec<Vec<usize>> =
        indices.iter().zip(&extents).map(|(index, &extent)| expand(index, extent)).collect();
    for (k, (places, &extent)) in chosen.iter().zip(&extents).enumerate() {
        if let Some(beyond) = places.iter().find(|place| **place >= extent) {
            let (size, dimension) = (size(matrix), k + 1);
            return Err(format!(
                "index {} lies outside of dimension {dimension} of a matrix of size {size}",
                beyond + 1
            ));
        }
    }
    let dimensions = match indices {
        [Places::All] => vec![matrix.entries.len(), 1],
        // A vector keeps its direction; otherwise the result has the size of the index.
        [Places::Some(places, size)] => {
            let vector = size.len() == 2 && (size[0] == 1 || size[1] == 1);
            match (vector, matrix.dimensions.as_slice()) {
                (true, [1, n]) if *n != 1 => vec![1, places.len()],
                (true, [n, 1]) if *n != 1 => vec![places.len(), 1],
                _ => size.clone(),
            }
        }
        _ => chosen.iter().map(Vec::len).collect(),
    };
    let entries = offsets(&chosen, &extents)?.into_iter().map(|at| matrix.entries[at]).collect();
    Ok(Matrix { dimensions, class: matrix.class, entries })
}

/// Puts values at some places; the matrix grows where it is too small.
pub(super) fn set(matrix: &mut Matrix, indices: &[Places], value: &Matrix) -> Result<(), String> {
    let count = indices.len();
    if count == 0 {
        return Err("an index is missing".into());
    }
    let before = extents(matrix, count);
    let needed: Vec<usize> = indices
        .iter()
        .zip(&before)
        .enumerate()
        .map(|(k, (index, &extent))| match index {
            Places::All if extent == 0 => value.dimensions.get(k).copied().unwrap_or(1),
            Places::All => extent,
            Places::Some(places, _) => places.iter().map(|place| place + 1).max().unwrap_or(0).max(extent),
        })
        .collect();
    if needed != before {
        grow(matrix, &needed)?;
    }
    let extents = extents(matrix, count);
    let chosen: Vec<Vec<usize>> =
        indices.iter().zip(&extents).map(|(index, &extent)| expand(index, extent)).collect();
    let offsets = offsets(&chosen, &extents)?;
    let single = value.single();
    if single.is_none() && offsets.len() != value.entries.len() {
        return Err(format!("{} entries cannot take a value of size {}", offsets.len(), size(value)));
    }
    for (k, at) in offsets.into_iter().enumerate() {
        matrix.entries[at] = matrix.class.cast(single.unwrap_or_else(|| value.entries[k]));
    }
    Ok(())
}

fn grow(matrix: &mut Matrix, needed: &[usize]) -> Result<(), String> {
    let old = matrix.clone();
    let dimensions = match *needed {
        [n] if old.dimensions.len() == 2 && old.columns() == 1 && old.rows() > 1 => vec![n, 1],
        [n] if old.dimensions.len() == 2 && old.rows() <= 1 => vec![1, n],
        [rows, columns] if old.dimensions.len() == 2 => vec![rows, columns],
        _ => return Err(format!("a matrix of size {} cannot grow here", size(&old))),
    };
    let count = dimensions[0].checked_mul(dimensions[1]).filter(|&count| count <= LARGEST);
    let count = count.ok_or("the matrix becomes too large")?;
    *matrix = Matrix { class: old.class, entries: vec![0.0; count], dimensions };
    for column in 0..old.columns() {
        for row in 0..old.rows() {
            matrix.entries[column * matrix.dimensions[0] + row] = old.entries[column * old.rows() + row];
        }
    }
    Ok(())
}

fn expand(index: &Places, extent: usize) -> Vec<usize> {
    match index {
        Places::All => (0..extent).collect(),
        Places::Some(places, _) => places.clone(),
    }
}

/// The places of all combinations, the first index running fastest.
fn offsets(chosen: &[Vec<usize>], extents: &[usize]) -> Result<Vec<usize>, String> {
    let mut found = vec![0];
    let mut stride: usize = extents.iter().product();
    for (places, &extent) in chosen.iter().zip(extents).rev() {
        stride = stride.checked_div(extent).unwrap_or(0);
        if found.len().saturating_mul(places.len()) > LARGEST {
            return Err("the index chooses too many entries".into());
        }
        found = found.iter().flat_map(|base| places.iter().map(move |place| base + place * stride)).collect();
    }
    Ok(found)
}
