package platen

// Version is that of Platen with which this client was released.
const Version = "0.1.0"
