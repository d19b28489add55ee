// Package offlinetest has the situations in which the tests of the offline partner speak.
package offlinetest

import (
	"time"

	"kist/agent/model"
)

// Saturday is the day on which all tests of the partner run.
var Saturday = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// Projects are four projects that the partner has made.
func Projects() []model.Project {
	return []model.Project{
		{Slug: "houseboat-renovation", Name: "Houseboat Renovation", Status: "active", CreatedBy: "agent"},
		{Slug: "coffee-shop", Name: "Coffee Shop", Status: "active", CreatedBy: "agent"},
		{Slug: "fitness-app", Name: "Fitness App", Status: "active", CreatedBy: "agent"},
		{Slug: "recipe-app", Name: "Recipe App", Status: "active", CreatedBy: "agent"},
	}
}

// Situation is one among these projects, with the one of that slug active, if there is one.
func Situation(active string) model.Situation { return SituationIn(Projects(), active) }

// SituationIn is a situation among other projects; the first of them was active before.
func SituationIn(projects []model.Project, active string) model.Situation {
	s := model.Situation{Now: Saturday, Turns: 3, Projects: projects}
	for _, p := range s.Projects {
		if p.Slug == active {
			s.Project = &p
			s.Stack = []model.Project{s.Projects[0]}
		}
	}
	return s
}
