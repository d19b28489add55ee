package interpret

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"kist/agent/intent"
	"kist/agent/offline/offlinetest"
)

// What moves, and to when: told as an order, as news, in the passive; and what is
// only supposed, asked or no date at all. Today is Saturday 21 November 2026.
func TestMovedDates(t *testing.T) {
	for said, want := range map[string]string{
		"push the launch to 30 June":                            "launch 2027-06-30",
		"the deadline slipped by two weeks":                     " +14d",
		"the deadline for the permit slipped a week":            "permit +7d",
		"we're bringing the inspection forward to Monday":       "inspection 2026-11-23",
		"the inspection was brought forward by three days":      "inspection -3d",
		"The city postponed the hearing until 5 January":        "hearing 2027-01-05",
		"the viewing has been put back a fortnight":             "viewing +14d",
		"we pushed back the painting by a couple of weeks":      "painting +14d",
		"Bo moved the handover from Friday to 4 December":       "handover 2026-12-04",
		"the opening will be a month later":                     "opening +1m",
		"the start of the painting moved to 1 April":            "painting start 2027-04-01",
		"the inspection is on 1 December now":                   "inspection 2026-12-01",
		"the new deadline is 30 June":                           " 2027-06-30",
		"set the deadline to 15 March":                          " 2027-03-15",
		"we've moved the launch two weeks earlier":              " -14d",
		"they gave us an extension until 31 January":            " 2027-01-31",
		"the exam got delayed by ten days because of the storm": "exam +10d",

		"if the deadline slips by two weeks we lose the slot": "",
		"we might push the launch to August":                  "",
		"we aren't moving the launch to August":               "",
		"should we push the launch to 30 June?":               "",
		"I'm thinking about moving the launch to August":      "",
		"we moved to Berlin on Monday":                        "",
		"I pushed the boat out by two metres":                 "",
		"pull the cable to the cabin by Friday":               "",
		"put the paint in the shed on Monday":                 "",
		"the launch is on 15 May":                             "launch 2027-05-15",
		"we moved the sofa to the attic":                      "",
		"Bo comes to the houseboat on 8 December":             "",
	} {
		r := Reader{sit: offlinetest.Situation("houseboat-renovation")}
		m := leading(r.Read(said))
		got := ""
		if m.Intent == intent.UpdateTask {
			got = cmp.Or(m.Title, strings.Join(m.Titles, ", ")) + " "
			if m.Moved.Start {
				got += "start "
			}
			switch {
			case m.Change.Due != "":
				got += m.Change.Due
			case m.Moved.Months != 0:
				got += fmt.Sprintf("%+dm", m.Moved.Months)
			default:
				got += fmt.Sprintf("%+dd", m.Moved.Days)
			}
		}
		if want == "" && got != "" || !strings.HasSuffix(got, want) { // a word more leaves it found
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
