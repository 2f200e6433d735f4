// Prints each PDF that is completed from now on.
// EVENTS_URL: printed by `npm run --silent platen -- nats-url`
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

type event struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`
	Data    struct {
		FileName string            `json:"file_name"`
		Pages    int               `json:"pages"`
		Metadata map[string]string `json:"metadata"`
	} `json:"data"`
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	client := must(nats.Connect(os.Getenv("EVENTS_URL"), nats.CustomInboxPrefix("_INBOX_subscriber")))
	consumer := must(must(jetstream.New(client)).CreateOrUpdateConsumer(context.Background(), "EVENTS", jetstream.ConsumerConfig{
		Durable:       "go-example",
		FilterSubject: "events.generation.completed.>",
		DeliverPolicy: jetstream.DeliverNewPolicy,
		AckPolicy:     jetstream.AckExplicitPolicy,
		MaxDeliver:    10,
	}))
	handled := map[string]bool{} // in production: a table with a unique index
	messages := must(consumer.Messages())
	fmt.Println("ready")
	for {
		message := must(messages.Next())
		var e event
		if err := json.Unmarshal(message.Data(), &e); err != nil {
			must(0, message.Term()) // it can never be read
			continue
		}
		if !handled[e.ID] {
			fmt.Println(e.Subject, e.Data.FileName, e.Data.Pages, e.Data.Metadata["order"])
			handled[e.ID] = true
		}
		must(0, message.Ack())
	}
}
