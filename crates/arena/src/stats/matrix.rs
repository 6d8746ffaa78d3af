//! Small square matrices: as much as ratings need.

use std::ops::{Index, IndexMut};

/// A square matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Matrix {
    size: usize,
    values: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zeros(size: usize) -> Matrix {
        Matrix {
            size,
            values: vec![0.0; size * size],
        }
    }

    fn identity(size: usize) -> Matrix {
        let mut matrix = Matrix::zeros(size);
        for i in 0..size {
            matrix[(i, i)] = 1.0;
        }
        matrix
    }

    /// The inverse, by elimination with the largest pivot; `None` for a singular matrix.
    pub(crate) fn inverse(mut self) -> Option<Matrix> {
        let size = self.size;
        let mut inverse = Matrix::identity(size);
        for column in 0..size {
            let pivot = (column..size).max_by(|&a, &b| {
                let [a, b] = [a, b].map(|row| self[(row, column)].abs());
                a.total_cmp(&b)
            })?;
            if self[(pivot, column)].abs() < 1e-14 || !self[(pivot, column)].is_finite() {
                return None;
            }
            self.swap_rows(pivot, column);
            inverse.swap_rows(pivot, column);
            let scale = 1.0 / self[(column, column)];
            for k in 0..size {
                self[(column, k)] *= scale;
                inverse[(column, k)] *= scale;
            }
            for row in (0..size).filter(|&row| row != column) {
                let factor = self[(row, column)];
                if factor == 0.0 {
                    continue;
                }
                for k in 0..size {
                    self[(row, k)] -= factor * self[(column, k)];
                    inverse[(row, k)] -= factor * inverse[(column, k)];
                }
            }
        }
        Some(inverse)
    }

    /// The first `size` rows and columns.
    pub(crate) fn top_left(&self, size: usize) -> Matrix {
        let mut part = Matrix::zeros(size);
        for i in 0..size {
            for k in 0..size {
                part[(i, k)] = self[(i, k)];
            }
        }
        part
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        for k in 0..self.size {
            self.values.swap(a * self.size + k, b * self.size + k);
        }
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.values[row * self.size + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.values[row * self.size + column]
    }
}
