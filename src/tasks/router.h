// Router (once Asym): a module that sends queries and documents through modules of their own, as
// sentence-transformers 6.2 reads it (base/modules/router.py). Only texts are routed here. A value.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "candor/types.h"
#include "package/package.h"

namespace candor::tasks {

struct Router {
  struct Member {
    std::string folder;  // with its slash, from the package's root; the root itself is ""
    std::string type;    // its class, without the namespace; empty: a problem told it
    Where where;         // that names it
  };
  struct Route {
    std::string name;
    std::vector<Member> modules;
  };
  std::string file;           // that says so
  std::vector<Route> routes;  // in file order

  // The one that texts of a role take, and those of no role; null where the reference raises an error.
  const Route* Of(std::optional<TextRole> role) const;

  std::array<std::optional<std::size_t>, 3> taken;  // by no role, query, document
};

// The settings of the router whose folder is `folder`; nullopt when there were problems.
std::optional<Router> ReadRouter(const package::Package& package,
                                 const std::shared_ptr<package::ReadLog>& log, const std::string& folder,
                                 Problems& problems);

}  // namespace candor::tasks
