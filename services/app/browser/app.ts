import { confirmFirst } from './confirmations.js';
import { copyTexts } from './copying.js';
import { openFormerLink } from './mail-links.js';
import { completeMentions } from './mentions.js';
import { closeMenusOutside } from './menus.js';
import { watchProgress } from './progress.js';
import { focusSearch } from './search-key.js';

// Everything works without it; it saves people steps.
openFormerLink();
closeMenusOutside();
confirmFirst();
copyTexts();
focusSearch();
watchProgress();
completeMentions();
