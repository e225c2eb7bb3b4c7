"""What is a tensor: a view of a storage, with a dtype and keys? Its state and identity, no ops."""
