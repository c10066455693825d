package walk

const openFlags = 0
