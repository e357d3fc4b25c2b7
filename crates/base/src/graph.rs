//! Strongly connected components (Tarjan 1972) with a stack of its own, so that a long chain cannot overflow the call stack.

/// The strongly connected components of a graph, numbered so that edges lead to the same or a smaller number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    /// The component of each node.
    pub of: Vec<u32>,
    /// The number of components.
    pub count: usize,
}

impl Components {
    /// The nodes of each component, ascending.
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.count];
        for (node, &component) in (0..).zip(&self.of) {
            members[component as usize].push(node);
        }
        members
    }
}

/// The components of a graph with the nodes `0..nodes`, given the targets of the edges of each node.
///
/// ```
/// let edges: [&[u32]; 4] = [&[1], &[2, 3], &[1], &[]];
/// let found = shall_base::components(4, |node| edges[node as usize].iter().copied());
/// assert_eq!(found.members(), [vec![3], vec![1, 2], vec![0]]);
/// ```
pub fn components<T: Iterator<Item = u32>>(nodes: usize, targets: impl Fn(u32) -> T) -> Components {
    const NONE: u32 = u32::MAX;
    let (mut index, mut low) = (vec![NONE; nodes], vec![NONE; nodes]);
    let mut of = vec![NONE; nodes];
    let (mut open, mut path) = (Vec::new(), Vec::new());
    let (mut next, mut count) = (0, 0);
    for root in 0..nodes as u32 {
        let mut new = Some(root).filter(|&root| index[root as usize] == NONE);
        loop {
            if let Some(node) = new.take() {
                (index[node as usize], low[node as usize]) = (next, next);
                next += 1;
                open.push(node);
                path.push((node, targets(node)));
            }
            let Some((node, rest)) = path.last_mut() else { break };
            let (node, at) = (*node, *node as usize);
            match rest.next() {
                Some(target) if index[target as usize] == NONE => new = Some(target),
                Some(target) if of[target as usize] == NONE => low[at] = low[at].min(index[target as usize]),
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        low[parent as usize] = low[parent as usize].min(low[at]);
                    }
                    if low[at] == index[at] {
                        while let Some(member) = open.pop() {
                            of[member as usize] = count;
                            if member == node {
                                break;
                            }
                        }
                        count += 1;
                    }
                }
            }
        }
    }
    Components { of, count: count as usize }
}

/// The nodes of a graph from which a goal can be reached, given its edges as (from, to); goals are among them.
///
/// ```
/// let reaching = shall_base::reaching([(0, 1), (1, 2), (3, 0)], &[false, true, false, false]);
/// assert_eq!(reaching, [true, true, false, true]);
/// ```
pub fn reaching(edges: impl IntoIterator<Item = (usize, usize)>, goals: &[bool]) -> Vec<bool> {
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); goals.len()];
    for (from, to) in edges {
        sources[to].push(from);
    }
    let mut reaching = goals.to_vec();
    let mut open: Vec<usize> = (0..goals.len()).filter(|&node| goals[node]).collect();
    while let Some(node) = open.pop() {
        for &from in &sources[node] {
            if !std::mem::replace(&mut reaching[from], true) {
                open.push(from);
            }
        }
    }
    reaching
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    fn of(targets: &[Vec<u32>]) -> Components {
        components(targets.len(), |node| targets[node as usize].iter().copied())
    }

    #[test]
    fn small_graphs() {
        type Lists = &'static [&'static [u32]];
        let cases: [(Lists, Lists); 5] = [
            (&[], &[]),
            (&[&[1], &[2], &[]], &[&[2], &[1], &[0]]),
            (&[&[1], &[2], &[0]], &[&[0, 1, 2]]),
            (&[&[0], &[]], &[&[0], &[1]]),
            (&[&[1], &[0], &[3], &[2, 0]], &[&[0, 1], &[2, 3]]),
        ];
        for (targets, want) in cases {
            let targets: Vec<Vec<u32>> = targets.iter().map(|all| all.to_vec()).collect();
            assert_eq!(of(&targets).members(), want);
        }
        let ring: Vec<Vec<u32>> = (0..100_000).map(|k| vec![(k + 1) % 100_000]).collect();
        assert_eq!(of(&ring).count, 1);
    }

    #[test]
    fn two_nodes_share_a_component_if_each_reaches_the_other() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            let nodes = 1 + random.below(8);
            let edges = random.below(2 * nodes);
            let mut targets = vec![Vec::new(); nodes];
            let mut reach = vec![vec![false; nodes]; nodes];
            for _ in 0..edges {
                let (from, to) = (random.below(nodes), random.below(nodes));
                targets[from].push(to as u32);
                reach[from][to] = true;
            }
            for (k, i, j) in (0..nodes.pow(3)).map(|n| (n / nodes / nodes, n / nodes % nodes, n % nodes)) {
                reach[i][j] |= reach[i][k] && reach[k][j];
            }
            let found = of(&targets);
            for (i, j) in (0..nodes * nodes).map(|n| (n / nodes, n % nodes)) {
                let same = i == j || reach[i][j] && reach[j][i];
                assert_eq!(found.of[i] == found.of[j], same);
                assert!(!reach[i][j] || found.of[i] >= found.of[j], "edges lead to smaller numbers");
            }
        }
    }
}
