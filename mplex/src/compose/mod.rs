//! From the model and the grids to one frame per client. Mutates nothing but its own caches.
