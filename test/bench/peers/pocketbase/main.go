// PocketBase with the durability of PRAGMA_SYNCHRONOUS: NORMAL is its default, FULL flushes before each response.
package main

import (
	"log"
	"os"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
)

const pragmas = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)" +
	"&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)"

func main() {
	app := pocketbase.NewWithConfig(pocketbase.Config{
		DBConnect: func(path string) (*dbx.DB, error) {
			return dbx.Open("sqlite", path+pragmas+"&_pragma=synchronous("+os.Getenv("PRAGMA_SYNCHRONOUS")+")")
		},
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}
