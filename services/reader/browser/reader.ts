import { startAnnouncement, startTabs, startThemes } from './choices.js';
import { startCopying, startTableFilters, startUpdateFilters, startZooming } from './content.js';
import { startFeedback, startInsights } from './insights.js';
import { startMenus, startOutline, startPrefetching, startTargets } from './navigation.js';
import { startSearch } from './search-dialog.js';

const starts = [
  startThemes,
  startAnnouncement,
  startTabs,
  startTargets,
  startMenus,
  startOutline,
  startSearch,
  startCopying,
  startZooming,
  startTableFilters,
  startUpdateFilters,
  startFeedback,
  startInsights,
  startPrefetching,
];

// Pages are whole without any of these: one that fails must not take the others with it.
for (const start of starts) {
  try {
    start();
  } catch (error) {
    console.error(error);
  }
}
