package offline

import (
	"testing"

	"kist/agent/model"
	"kist/agent/model/modeltest"
	"kist/agent/offline/offlinetest"
)

func TestPartnerConforms(t *testing.T) {
	words := model.Request{Situation: offlinetest.Situation(""), Messages: user("help")}
	calls := model.Request{Situation: offlinetest.Situation(""), Messages: user("list my projects"), Tools: []model.Tool{{Name: "list_projects"}}}
	modeltest.Test(t, func(*testing.T) model.Model { return New() }, words, calls)
}
