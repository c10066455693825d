package bus

import "context"

// Delivery is the state of a message when its sender gets an answer.
type Delivery string

// The deliveries.
const (
	DeliveryQueued    Delivery = "queued"    // it is kept until a consumer takes it
	DeliveryDelivered Delivery = "delivered" // it has arrived
	DeliveryFailed    Delivery = "failed"    // it has not arrived, and is kept for another try
)

// Deliver tries at once to deliver a sent message. It is a service of the environment of
// tools; without one, and for a message that no sink takes, the result is queued. After
// an error the message stays sent.
type Deliver func(ctx context.Context, m Message) (Delivery, error)
