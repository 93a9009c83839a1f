hello, this is text
