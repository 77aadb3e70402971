// The receipt's short form, for people (-v).
#pragma once
#include <string>

#include "candor/receipt.h"

namespace candor::apps {

std::string ReceiptText(const Receipt& receipt);

}  // namespace candor::apps
