//! The types of a Lustre program, stored once, and the layout of their values as scalars.
//!
//! A value of a record, tuple or array type is a sequence of scalars, its leaves, from left to right. Invariant: no type has more
//! than [`MAX_LEAVES`] leaves or is nested deeper than [`MAX_NESTING`], so recursion over a type is safe.

use crate::small;
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use system::expr::{Type, Width};

/// The maximum number of scalars in one value.
pub(super) const MAX_LEAVES: u32 = 1 << 16;

/// The maximum nesting depth of types.
const MAX_NESTING: u32 = 64;

/// The id of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Ty(u32);

/// The shape of a type. `List` is the type of several values: the outputs of a node, `(a, b)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shape {
    /// An error that is already reported.
    Error,
    Bool,
    Int,
    Real,
    Machine(Width),
    Range(Option<IBig>, Option<IBig>),
    Enum(u32),
    /// A type without a definition, by index.
    Abstract(u32),
    Record(u32),
    /// A `datatype`, by index.
    Data(u32),
    /// A type with a condition on its values, by the index of the condition.
    Refined(Ty, u32),
    Tuple(Vec<Ty>),
    Array(Ty, u32),
    /// A set, with the number of elements of which it tells whether they are in it.
    Set(Ty, u32),
    /// A map from the first type to the second, with the number of keys of which it tells whether they have a value, and which.
    Map([Ty; 2], u32),
    List(Vec<Ty>),
}

/// The types of the most common values.
pub(super) const ERROR: Ty = Ty(0);
pub(super) const BOOL: Ty = Ty(1);
pub(super) const INT: Ty = Ty(2);
pub(super) const REAL: Ty = Ty(3);

/// A scalar part of a value.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The suffix after the name of the whole value, such as `.f` or `[2]`.
    pub(super) suffix: String,
    pub(super) scalar: Scalar,
    /// The least and the greatest value of a subrange.
    pub(super) range: Option<(Option<IBig>, Option<IBig>)>,
}

/// A scalar type; enumerations by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scalar {
    Bool,
    Int,
    Real,
    Machine(Width),
    Enum(u32),
}

#[derive(Clone, Debug)]
struct Entry {
    shape: Shape,
    /// The same type without subranges.
    base: Ty,
    leaves: u32,
    nesting: u32,
}

/// A `datatype`: a tag, an enumeration of its constructors, and the fields of all of them.
#[derive(Clone, Debug)]
pub(super) struct Data {
    pub(super) name: String,
    /// The index of the enumeration.
    pub(super) tag: u32,
    pub(super) constructors: Vec<(String, Vec<(String, Ty)>)>,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub(super) struct Types {
    entries: Vec<Entry>,
    ids: FxHashMap<Shape, Ty>,
    /// Name and literals.
    pub(super) enums: Vec<(String, Vec<String>)>,
    /// Name and fields.
    pub(super) records: Vec<(String, Vec<(String, Ty)>)>,
    pub(super) datas: Vec<Data>,
    /// The names of types without a definition.
    pub(super) abstracts: Vec<String>,
}

impl Default for Types {
    fn default() -> Types {
        let mut types = Types {
            entries: Vec::new(),
            ids: FxHashMap::default(),
            enums: Vec::new(),
            records: Vec::new(),
            datas: Vec::new(),
            abstracts: Vec::new(),
        };
        for shape in [Shape::Error, Shape::Bool, Shape::Int, Shape::Real] {
            types.add(shape);
        }
        types
    }
}

impl Types {
    /// The type with a shape; `None` if it is too large.
    pub(super) fn get(&mut self, shape: Shape) -> Option<Ty> {
        let (leaves, nesting) = self.size(&shape);
        let fits = nesting <= MAX_NESTING && (leaves <= MAX_LEAVES || matches!(shape, Shape::List(_)));
        fits.then(|| self.add(shape))
    }

    /// The type of several values; that of a single one is its own.
    pub(super) fn list(&mut self, mut parts: Vec<Ty>) -> Ty {
        match parts.len() {
            1 => parts.remove(0),
            _ => self.add(Shape::List(parts)),
        }
    }

    pub(super) fn shape(&self, ty: Ty) -> &Shape {
        &self.entries[ty.0 as usize].shape
    }

    /// The types of the parts of a record, tuple, list or `datatype`, whose first part is its tag.
    pub(super) fn members(&self, ty: Ty) -> Option<Vec<Ty>> {
        match self.shape(ty) {
            Shape::Record(place) => Some(self.records[*place as usize].1.iter().map(|it| it.1).collect()),
            Shape::Tuple(parts) | Shape::List(parts) => Some(parts.clone()),
            Shape::Data(place) => {
                let data = &self.datas[*place as usize];
                let tag = self.ids.get(&Shape::Enum(data.tag)).copied().unwrap_or(ERROR);
                let fields = data.constructors.iter().flat_map(|it| &it.1).map(|it| it.1);
                Some(std::iter::once(tag).chain(fields).collect())
            }
            _ => None,
        }
    }

    /// The type without subranges and conditions.
    pub(super) fn base(&self, ty: Ty) -> Ty {
        self.entries[ty.0 as usize].base
    }

    /// Whether values of one type may be used as values of the other. The error type fits every type.
    pub(super) fn same(&self, a: Ty, b: Ty) -> bool {
        a == ERROR || b == ERROR || self.base(a) == self.base(b)
    }

    /// The number of scalars in a value.
    pub(super) fn leaf_count(&self, ty: Ty) -> u32 {
        self.entries[ty.0 as usize].leaves
    }

    pub(super) fn is_number(&self, ty: Ty) -> bool {
        matches!(
            self.shape(ty),
            Shape::Int | Shape::Real | Shape::Machine(_) | Shape::Range(..) | Shape::Error
        )
    }

    /// The types of several values.
    pub(super) fn parts(&self, ty: Ty) -> Vec<Ty> {
        match self.shape(ty) {
            Shape::List(parts) => parts.clone(),
            _ => vec![ty],
        }
    }

    /// The scalars of a value, from left to right.
    pub(super) fn leaves(&self, ty: Ty) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect(ty, "", &mut leaves);
        leaves
    }

    fn collect(&self, ty: Ty, suffix: &str, leaves: &mut Vec<Leaf>) {
        let mut scalar = |scalar, range| leaves.push(Leaf { suffix: suffix.to_owned(), scalar, range });
        match self.shape(ty) {
            Shape::Error | Shape::Bool => scalar(Scalar::Bool, None),
            Shape::Int => scalar(Scalar::Int, None),
            Shape::Real => scalar(Scalar::Real, None),
            Shape::Machine(width) => scalar(Scalar::Machine(*width), None),
            Shape::Range(low, high) => scalar(Scalar::Int, Some((low.clone(), high.clone()))),
            Shape::Enum(place) => scalar(Scalar::Enum(*place), None),
            Shape::Abstract(_) => scalar(Scalar::Int, None),
            Shape::Refined(base, _) => self.collect(*base, suffix, leaves),
            Shape::Data(place) => {
                let data = &self.datas[*place as usize];
                scalar(Scalar::Enum(data.tag), None);
                for (constructor, fields) in &data.constructors {
                    for (name, part) in fields {
                        self.collect(*part, &format!("{suffix}.{constructor}.{name}"), leaves);
                    }
                }
            }
            Shape::Record(place) => {
                for (name, part) in &self.records[*place as usize].1 {
                    self.collect(*part, &format!("{suffix}.{name}"), leaves);
                }
            }
            Shape::Tuple(parts) | Shape::List(parts) => {
                for (place, part) in parts.iter().enumerate() {
                    self.collect(*part, &format!("{suffix}.%{place}"), leaves);
                }
            }
            Shape::Array(part, size) => {
                for place in 0..*size {
                    self.collect(*part, &format!("{suffix}[{place}]"), leaves);
                }
            }
            Shape::Set(part, size) => {
                for place in 0..*size {
                    self.collect(BOOL, &format!("{suffix}{{{}}}", self.key(*part, place)), leaves);
                }
            }
            Shape::Map([key, part], size) => {
                for place in 0..*size {
                    let key = self.key(*key, place);
                    self.collect(BOOL, &format!("{suffix}{{{key}}}"), leaves);
                    self.collect(*part, &format!("{suffix}[{key}]"), leaves);
                }
            }
        }
    }

    /// The name of an element of sets or of a key of maps.
    fn key(&self, ty: Ty, place: u32) -> String {
        match self.shape(ty) {
            Shape::Bool => (place == 1).to_string(),
            Shape::Enum(which) => self.enums[*which as usize].1[place as usize].clone(),
            _ => format!("#{}", place + 1),
        }
    }

    /// The type as source text.
    pub(super) fn show(&self, ty: Ty) -> String {
        let joined = |parts: &[Ty]| parts.iter().map(|it| self.show(*it)).collect::<Vec<_>>().join(", ");
        match self.shape(ty) {
            Shape::Error => "?".to_owned(),
            Shape::Bool => "bool".to_owned(),
            Shape::Int => "int".to_owned(),
            Shape::Real => "real".to_owned(),
            Shape::Machine(width) => {
                let (sign, bits) = (if width.signed { "" } else { "u" }, width.bits);
                match bits {
                    8 | 16 | 32 | 64 => format!("{sign}int{bits}"),
                    _ => format!("{}int<{bits}>", if width.signed { "s" } else { "u" }),
                }
            }
            Shape::Range(low, high) => {
                let bound = |it: &Option<IBig>| it.as_ref().map_or("*".to_owned(), IBig::to_string);
                format!("subrange [{}, {}] of int", bound(low), bound(high))
            }
            Shape::Enum(place) => self.enums[*place as usize].0.clone(),
            Shape::Abstract(place) => self.abstracts[*place as usize].clone(),
            Shape::Data(place) => self.datas[*place as usize].name.clone(),
            Shape::Refined(base, _) => format!("subtype of {}", self.show(*base)),
            Shape::Record(place) => self.records[*place as usize].0.clone(),
            Shape::Tuple(parts) => format!("[{}]", joined(parts)),
            Shape::Array(part, size) => format!("{}^{size}", self.show(*part)),
            Shape::Set(part, _) => format!("set<{}>", self.show(*part)),
            Shape::Map(parts, _) => format!("map<{}>", joined(parts)),
            Shape::List(parts) => format!("({})", joined(parts)),
        }
    }

    /// The number of scalars of a shape, and its nesting depth.
    fn size(&self, shape: &Shape) -> (u32, u32) {
        match shape {
            Shape::Error
            | Shape::Bool
            | Shape::Int
            | Shape::Real
            | Shape::Machine(_)
            | Shape::Range(..)
            | Shape::Abstract(_)
            | Shape::Enum(_) => (1, 0),
            Shape::Refined(base, _) => {
                let entry = &self.entries[base.0 as usize];
                (entry.leaves, entry.nesting + 1)
            }
            Shape::Data(place) => {
                let fields = self.datas[*place as usize].constructors.iter().flat_map(|it| &it.1);
                let (leaves, nesting) = self.sum(fields.map(|it| it.1));
                (leaves.saturating_add(1), nesting)
            }
            Shape::Record(place) => self.sum(self.records[*place as usize].1.iter().map(|it| it.1)),
            Shape::Tuple(parts) | Shape::List(parts) => self.sum(parts.iter().copied()),
            Shape::Array(part, size) => {
                (self.leaf_count(*part).saturating_mul(*size), self.entries[part.0 as usize].nesting + 1)
            }
            Shape::Set(_, size) => (*size, 1),
            Shape::Map([_, part], size) => {
                let entry = self.leaf_count(*part).saturating_add(1);
                (entry.saturating_mul(*size), self.entries[part.0 as usize].nesting + 1)
            }
        }
    }

    fn sum(&self, parts: impl Iterator<Item = Ty>) -> (u32, u32) {
        parts.fold((0, 1), |(leaves, nesting), part| {
            let entry = &self.entries[part.0 as usize];
            (entry.leaves.saturating_add(leaves), nesting.max(entry.nesting + 1))
        })
    }

    fn add(&mut self, shape: Shape) -> Ty {
        if let Some(ty) = self.ids.get(&shape) {
            return *ty;
        }
        let (leaves, nesting) = self.size(&shape);
        let base = match &shape {
            Shape::Range(..) => Some(INT),
            Shape::Refined(base, _) => Some(self.base(*base)),
            Shape::Tuple(parts) => {
                let base = Shape::Tuple(parts.iter().map(|it| self.base(*it)).collect());
                (base != shape).then(|| self.add(base))
            }
            Shape::List(parts) => {
                let base = Shape::List(parts.iter().map(|it| self.base(*it)).collect());
                (base != shape).then(|| self.add(base))
            }
            Shape::Array(part, size) => {
                let base = Shape::Array(self.base(*part), *size);
                (base != shape).then(|| self.add(base))
            }
            Shape::Map([key, part], size) => {
                let base = Shape::Map([*key, self.base(*part)], *size);
                (base != shape).then(|| self.add(base))
            }
            _ => None,
        };
        let ty = Ty(small(self.entries.len()));
        let entry = Entry { shape: shape.clone(), base: base.unwrap_or(ty), leaves, nesting };
        self.entries.push(entry);
        self.ids.insert(shape, ty);
        ty
    }
}

impl Scalar {
    /// The corresponding type in a system with these enumerations.
    pub(super) fn in_system(self, enums: &[system::EnumId]) -> Type {
        match self {
            Scalar::Bool => Type::Bool,
            Scalar::Int => Type::Int,
            Scalar::Real => Type::Real,
            Scalar::Machine(width) => Type::Machine(width),
            Scalar::Enum(place) => Type::Enum(enums[place as usize]),
        }
    }
}
