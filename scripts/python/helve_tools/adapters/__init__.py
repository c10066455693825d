"""helve's tools as the objects of agent frameworks: one module for each, which imports
its framework when it is imported itself."""
