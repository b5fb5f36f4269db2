/** The page for an address that leads nowhere. */

import { topLine } from "./common.js";

topLine("lost-page.name");
