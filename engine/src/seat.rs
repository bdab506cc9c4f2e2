//! Places in the clockwise ring, and one value per place.

use arrayvec::ArrayVec;
use std::ops::{Index, IndexMut};

/// The most seats any of the five games has.
pub const SEATS_MAX: usize = 6;

/// A place in the fixed clockwise ring `0..n-1`; a player or a bot holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into a slice of seats.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The letter that stands for the seat in the notation: `A` for seat 0.
    pub fn letter(self) -> char {
        char::from(b'A'.saturating_add(self.0))
    }
}

/// One value per seat, in seat order; at most [`SEATS_MAX`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seats<T>(ArrayVec<T, SEATS_MAX>);

impl<T> Seats<T> {
    /// `count` seats (capped at [`SEATS_MAX`]), each with what `value` makes of it.
    pub fn build(count: usize, mut value: impl FnMut(Seat) -> T) -> Self {
        Seats(ring(count.min(SEATS_MAX)).map(&mut value).collect())
    }

    /// How many seats there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Whether the ring has such a seat.
    pub fn has(&self, seat: Seat) -> bool {
        seat.index() < self.0.len()
    }

    /// The value of a seat, if there is such a seat.
    pub fn get(&self, seat: Seat) -> Option<&T> {
        self.0.get(seat.index())
    }

    /// The value of a seat to change, if there is such a seat.
    pub fn get_mut(&mut self, seat: Seat) -> Option<&mut T> {
        self.0.get_mut(seat.index())
    }

    /// Every seat with its value, in seat order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + Clone {
        self.0
            .iter()
            .enumerate()
            .map(|(index, value)| (Seat(index as u8), value))
    }

    /// Every seat with its value to change, in seat order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        self.0
            .iter_mut()
            .enumerate()
            .map(|(index, value)| (Seat(index as u8), value))
    }

    /// Every value, in seat order, to change.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut()
    }

    /// Every seat, in seat order.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + Clone + use<T> {
        ring(self.0.len())
    }

    /// Every seat once, clockwise, beginning with `first`.
    pub fn from(&self, first: Seat) -> impl Iterator<Item = Seat> + Clone + use<T> {
        let count = self.0.len();
        (0..count).map(move |step| Seat(((first.index() + step) % count) as u8))
    }

    /// Every seat once, clockwise, beginning with the one after `seat` and ending with `seat`.
    pub fn after(&self, seat: Seat) -> impl Iterator<Item = Seat> + Clone + use<T> {
        self.from(Seat(((seat.index() + 1) % self.0.len().max(1)) as u8))
    }

    /// One new value per seat.
    pub fn map<U>(&self, mut value: impl FnMut(Seat, &T) -> U) -> Seats<U> {
        Seats(self.iter().map(|(seat, old)| value(seat, old)).collect())
    }
}

fn ring(count: usize) -> impl DoubleEndedIterator<Item = Seat> + Clone {
    (0..count).map(|index| Seat(index as u8))
}

impl<T> Index<Seat> for Seats<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for Seats<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

/// A set of seats; listed in seat order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct SeatSet(u8);

impl SeatSet {
    /// No seat.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// Whether the seat is in the set; a seat beyond the ring never is.
    pub fn has(self, seat: Seat) -> bool {
        seat.index() < SEATS_MAX && self.0 & (1 << seat.0) != 0
    }

    /// The set with the seat; a seat beyond the ring is ignored.
    #[must_use]
    pub fn with(self, seat: Seat) -> SeatSet {
        if seat.index() < SEATS_MAX {
            SeatSet(self.0 | 1 << seat.0)
        } else {
            self
        }
    }

    /// How many seats.
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in seat order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        ring(SEATS_MAX).filter(move |&seat| self.has(seat))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(SeatSet::EMPTY, SeatSet::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_goes_clockwise_and_wraps() {
        let seats = Seats::build(3, |seat| seat.letter());
        assert_eq!(
            seats.after(Seat(1)).collect::<Vec<_>>(),
            [Seat(2), Seat(0), Seat(1)]
        );
        assert_eq!(
            seats.from(Seat(2)).collect::<Vec<_>>(),
            [Seat(2), Seat(0), Seat(1)]
        );
        assert_eq!(seats[Seat(2)], 'C');
        assert_eq!(seats.get(Seat(3)), None);
    }

    #[test]
    fn sets_list_seats_in_seat_order() {
        let set: SeatSet = [Seat(4), Seat(0), Seat(9)].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Seat(0), Seat(4)]);
        assert_eq!(set.count(), 2);
    }
}
