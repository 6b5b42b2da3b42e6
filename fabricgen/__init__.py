"""A compiler for AI data-centre fabrics: intent in, whole switch configurations out."""

__version__ = "0.1.0"
