"""How is a picture made, shown and saved? HTML by hand, colours, the script that makes it interactive."""
