package tool

import (
	"strings"
	"testing"

	"kist/agent/audit"
	"kist/vault/vaulttest"
)

// An audit and the question how complete a project is give one figure, also where
// dimensions stand under other headings and where a point is open.
func TestOneFigureOfCompleteness(t *testing.T) {
	for name, text := range map[string]string{
		"empty":    "# P\n",
		"headings": "# P\n\nA small shed.\n\n## Goals & Momentum\n\nOpen on 3 March 2027 with 12 planks.\n",
		"others":   "# P\n\nA small shed.\n\n## Budget\n\n4000 euros from Ann Berg.\n\n## Milestones\n\nTBD\n\n## Team\n\n- Ann Berg\n- [ ] ask Bo\n",
		"complex":  "# P\n\nWe renovate a company's building with contractors, permits and investors.\n\n## Risks\n\nThe permit takes a year.\n",
	} {
		e := &Env{Vault: vaulttest.New(t, "-- kist.yaml --\n-- projects/p/project.md --\n"+text), Now: vaulttest.Now}
		measured, err := projectCompleteness(t.Context(), e, showProjectArgs{Project: "p"})
		if err != nil || measured.Fault != nil {
			t.Fatal(err, measured.Fault)
		}
		audited, err := auditProject(t.Context(), e, auditArgs{Project: "p"})
		if err != nil || audited.Fault != nil {
			t.Fatal(err, audited.Fault)
		}
		if a, b := measured.Value["overall"], audited.Value["completeness"]; a != b {
			t.Errorf("%s: %v and %v", name, a, b)
		}
		report, err := audit.Run(t.Context(), e.Vault, "p", e.Now)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range report.Dimensions {
			for key, n := range measured.Value["dimensions"].(map[string]int) {
				if strings.EqualFold(key, strings.NewReplacer(" & ", "_").Replace(d.Name)) && n != d.Score {
					t.Errorf("%s, %s: %d and %d", name, d.Name, n, d.Score)
				}
			}
		}
	}
}
