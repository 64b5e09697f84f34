import type { Translation } from '../words.js';
import { brazilianPortugueseAccount, brazilianPortugueseNotifications, brazilianPortugueseSignIn } from './account.js';
import { brazilianPortugueseDone, brazilianPortugueseFrame } from './frame.js';
import { brazilianPortugueseCatalogue, brazilianPortugueseHome, brazilianPortugueseLevels } from './organization.js';
import {
  brazilianPortugueseAccess,
  brazilianPortugueseInviting,
  brazilianPortuguesePeople,
  brazilianPortugueseTeams,
} from './people.js';
import { brazilianPortugueseChanges, brazilianPortugueseComments } from './review.js';
import { brazilianPortugueseSites, brazilianPortugueseVisits } from './sites.js';
import { brazilianPortugueseHistory, brazilianPortugueseReading, brazilianPortugueseSettings } from './space.js';
import { brazilianPortugueseImports, brazilianPortugueseTree } from './writing.js';

export const brazilianPortuguese: Translation = {
  frame: brazilianPortugueseFrame,
  done: brazilianPortugueseDone,
  signIn: brazilianPortugueseSignIn,
  home: brazilianPortugueseHome,
  levels: brazilianPortugueseLevels,
  catalogue: brazilianPortugueseCatalogue,
  reading: brazilianPortugueseReading,
  tree: brazilianPortugueseTree,
  imports: brazilianPortugueseImports,
  settings: brazilianPortugueseSettings,
  comments: brazilianPortugueseComments,
  history: brazilianPortugueseHistory,
  changes: brazilianPortugueseChanges,
  notifications: brazilianPortugueseNotifications,
  account: brazilianPortugueseAccount,
  sites: brazilianPortugueseSites,
  visits: brazilianPortugueseVisits,
  people: brazilianPortuguesePeople,
  inviting: brazilianPortugueseInviting,
  teams: brazilianPortugueseTeams,
  access: brazilianPortugueseAccess,
};
