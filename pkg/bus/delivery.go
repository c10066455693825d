package bus

import "context"

// Delivery says what has become of a message when its sender is answered.
type Delivery string

// The deliveries.
const (
	DeliveryQueued    Delivery = "queued"    // it is kept until a consumer takes it
	DeliveryDelivered Delivery = "delivered" // it has arrived
	DeliveryFailed    Delivery = "failed"    // it has not arrived, and is kept for another try
)

// Deliver tries at once to deliver a message that was sent. What does so is a service of
// the environment of tools; without one, and for a message that no sink is for, the
// result is queued. The error says why a delivery failed: that takes nothing back.
type Deliver func(ctx context.Context, m Message) (Delivery, error)
