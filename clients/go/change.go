package platen

import "encoding/json"

// Change is a field of an update. The zero Change leaves the field as it is.
type Change[T any] struct {
	value *T
	isSet bool
}

// Set replaces the field.
func Set[T any](value T) Change[T] { return Change[T]{&value, true} }

// Remove removes the field.
func Remove[T any]() Change[T] { return Change[T]{nil, true} }

// IsZero tells encoding/json to leave out the field.
func (c Change[T]) IsZero() bool { return !c.isSet }

// MarshalJSON writes null for a field that is removed.
func (c Change[T]) MarshalJSON() ([]byte, error) { return json.Marshal(c.value) }

// UnmarshalJSON is the opposite of MarshalJSON.
func (c *Change[T]) UnmarshalJSON(data []byte) error {
	c.isSet = true
	return json.Unmarshal(data, &c.value)
}
