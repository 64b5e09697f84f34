import { confirmFirst } from './confirmations.js';
import { closeMenusOutside } from './menus.js';
import { focusSearch } from './search-key.js';

// Everything works without it; it saves people steps.
closeMenusOutside();
confirmFirst();
focusSearch();
