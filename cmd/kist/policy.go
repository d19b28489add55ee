package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func policyCommand(c *cli) *cobra.Command {
	return groupCommand(c, "policy", "What kist may do at once: show, trust, distrust", "  kist policy show", policyShowCommand(c), policyTrustCommand(c), policyDistrustCommand(c))
}

func policyShowCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show what kist.yaml asks, what of it counts, and why",
		Long: "Show for each tool what kist.yaml asks, what is usual, what counts now, and why. auto runs at\n" +
			"once, ask proposes, never doesn't run; \"auto or ask\" is at once in projects that kist made.\n" +
			"A vault may be anybody's: what its kist.yaml asks more than usual counts at once, what it asks\n" +
			"less only when you trusted it on this machine.",
		Example: "  kist policy show --json",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Policy.GetPolicy(ctx, &v1.GetPolicyRequest{})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				p.tools(r.Tools)
				c.log.Printf("\n%s\n", policyText(r.State))
			})
		}),
	}
}

// policyText says whether what kist.yaml asks counts.
func policyText(s *v1.PolicyState) string {
	switch {
	case s.GetProblem() != "":
		return s.Preset + ", and nothing that asks less than usual counts: " + s.Problem
	case s.GetTrust() == "missing":
		return fmt.Sprintf("%s; that kist.yaml asks less than usual of %s doesn't count until it is trusted on this machine: see kist policy show", s.Preset, output.Plural(len(s.Looser), "tool"))
	case s.GetTrust() == "given":
		return fmt.Sprintf("%s; that kist.yaml asks less than usual of %s is trusted on this machine", s.Preset, output.Plural(len(s.Looser), "tool"))
	}
	return s.GetPreset()
}

// tellPolicy says what doesn't count, to whoever's command started the daemon.
func (c *cli) tellPolicy(ctx context.Context, k *dial.Client) {
	r, err := k.Policy.GetPolicy(ctx, &v1.GetPolicyRequest{})
	if err == nil && r.State.GetTrust() == "missing" {
		c.log.Printf("the vault's policy: %s\n", policyText(r.State))
	}
}

// tools shows how tools stand.
func (p *printer) tools(tools []*v1.ToolPolicy) {
	t := output.Table{{p.Paint(output.Dim, "tool"), p.Paint(output.Dim, "asked"), p.Paint(output.Dim, "usual"), p.Paint(output.Dim, "counts"), ""}}
	for _, tool := range tools {
		t.Add(p.Paint(output.Bold, tool.Name), tool.Asked, tool.Usual, tool.Counts, p.Paint(output.Dim, tool.Why))
	}
	p.Table(t)
}

func policyTrustCommand(c *cli) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Let what kist.yaml asks less than usual count on this machine",
		Long: "Show which tools kist.yaml lets do more than usual, and let that count on this machine. On a\n" +
			"terminal kist asks first. It counts until the agent section of kist.yaml says something\n" +
			"else, by a pull or an editor; kist policy distrust takes it back. Your word is kept\n" +
			"outside of the vault, so that no vault can bring it along.",
		Example: "  kist policy trust",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Policy.GetPolicy(ctx, &v1.GetPolicyRequest{})
			if err != nil {
				return err
			}
			switch {
			case r.State.Problem != "":
				return errors.New(r.State.Problem)
			case r.State.Trust == "missing" && !yes && !c.canAsk():
				return usageError{hintError{errors.New("nobody is here to ask"), "read what kist policy show says, and say it on a terminal"}}
			case r.State.Trust == "missing":
				c.looser(r)
				if err := c.sure(ctx, trustQuestion, yes); err != nil {
					return err
				}
			}
			return c.trust(ctx, k, r.State.Digest)
		}),
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "don't ask")
	return cmd
}

const trustQuestion = "Trust that on this machine?"

// looser shows, to whoever is to trust it, what kist.yaml lets do more than usual.
func (c *cli) looser(r *v1.GetPolicyResponse) {
	if c.json {
		return
	}
	c.log.Printf("The kist.yaml of this vault asks less than usual:\n")
	var t output.Table
	for _, tool := range r.Tools {
		if slices.Contains(r.State.Looser, tool.Name) {
			t.Add(c.log.Paint(output.Bold, tool.Name), tool.Asked, c.log.Paint(output.Dim, "instead of "+tool.Usual))
		}
	}
	c.log.Table(t)
}

// trust is the user's word on what has that digest.
func (c *cli) trust(ctx context.Context, k *dial.Client, digest string) error {
	r, err := k.Policy.TrustPolicy(ctx, &v1.TrustPolicyRequest{Digest: digest})
	if err != nil {
		return err
	}
	return c.show(r, func(p *printer) { p.Printf("%s\n", policyText(r.State)) })
}

func policyDistrustCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:     "distrust",
		Short:   "Take back that what kist.yaml asks less than usual counts",
		Long:    "Take back what kist policy trust let count on this machine, at once.",
		Example: "  kist policy distrust",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Policy.DistrustPolicy(ctx, &v1.DistrustPolicyRequest{})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.Printf("%s\n", policyText(r.State)) })
		}),
	}
}
