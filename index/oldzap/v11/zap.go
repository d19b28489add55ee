// Package zap stands in for the library of that name, see kist/index/oldzap.
package zap

import "kist/index/oldzap"

// ZapPlugin is what bleve registers.
type ZapPlugin = oldzap.Plugin
