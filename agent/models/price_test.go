package models

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent/budget"
	"kist/agent/model"
	"kist/agent/wire/wiretest"
)

// spending is a meter that adds up.
type spending struct{ likely, cost float64 }

func (s *spending) Allow(likely model.Usage) error { s.likely += likely.Cost; return nil }
func (s *spending) Count(used model.Usage)         { s.cost += used.Cost }

// TestServersPrice: what a server tells of its model's price counts where the settings have
// none; with limits in money nothing is sent to one elsewhere of which neither tells.
func TestServersPrice(t *testing.T) {
	pricing := `,"pricing":{"prompt":"0.01","completion":"0.1"}`
	for name, c := range map[string]struct {
		told   string // of the model
		limits bool
		set    map[string]budget.Price
		cost   float64 // of 10 tokens in and 5 out
		refuse bool
		want   *Price
	}{
		"the server tells":             {pricing, true, nil, 0.6, false, &Price{budget.Price{Input: 1e4, Output: 1e5}, true}},
		"the server tells, no limits":  {pricing, false, nil, 0.6, false, &Price{budget.Price{Input: 1e4, Output: 1e5}, true}},
		"the settings have another":    {pricing, true, map[string]budget.Price{"openai/x": {Input: 1e6, Output: 0}}, 10, false, &Price{budget.Price{Input: 1e6}, false}},
		"the settings say it is free":  {pricing, true, map[string]budget.Price{"openai": {}}, 0, false, &Price{}},
		"nobody tells":                 {"", true, nil, 0, true, nil},
		"nobody tells, without limits": {"", false, nil, 0, false, nil},
	} {
		asked := 0
		s := wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
			if r.Method == http.MethodGet {
				return asJSON(`{"data":[{"id":"x","max_model_len":6000` + c.told + `}]}`)
			}
			asked++
			return openAI(reply{text: "Fine.", count: 10})
		})
		settings := at("openai", "x", s.URL)
		settings.Priced, settings.Prices = c.limits, c.set
		settings.Servers["openai"] = Server{URL: s.URL, Set: true, Remote: true}
		m, _, router := start(t, settings)
		meter := &spending{}
		req := said("Be brief.", "Hello?")
		req.Meter = meter
		text, by := "", ""
		for e, err := range router.Turn().Generate(t.Context(), req) {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			text += e.Text
			if e.By != nil {
				by += e.By.Degraded
			}
		}
		if refused := strings.Contains(by, "openai/x isn't asked: a price is missing") && text == "partner" && asked == 0; refused != c.refuse || meter.cost != c.cost || (meter.likely > 0) != (c.cost > 0) {
			t.Errorf("%s: %q by %q, %d asked, cost %v of %v", name, text, by, asked, meter.cost, meter.likely)
		}
		role := m.Roles(t.Context())[0]
		if diff := cmp.Diff(c.want, role.Price); diff != "" || (role.State == "failing") != c.refuse || c.refuse && !strings.Contains(role.Error, "models.prices") {
			t.Errorf("%s: %+v %s", name, role, diff)
		}
	}
	settings := at("anthropic", "x", "http://127.0.0.1:1")
	settings.Servers["anthropic"] = Server{URL: "http://127.0.0.1:1", Set: true, Remote: true}
	settings.Priced = true
	if err := settings.Check(); !errors.Is(err, model.ErrPrice) {
		t.Errorf("a server that tells no prices: %v", err)
	}
}
