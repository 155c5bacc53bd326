"""What the rules and the command line do: here the parts meet that do not know each other."""
