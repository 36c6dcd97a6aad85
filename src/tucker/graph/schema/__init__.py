"""What a graph says of its relations: which entities stand on which side of each."""
