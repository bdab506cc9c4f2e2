//! Deals that differ in nothing but cards a viewer cannot see.
