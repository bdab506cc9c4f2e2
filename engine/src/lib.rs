//! Five card games of the Quartett family.
