import type { Translation } from '../words.js';
import { russianAccount, russianNotifications, russianSignIn } from './account.js';
import { russianBlocks, russianEditing, russianEditor, russianEditorPhrases } from './editor.js';
import { russianDone, russianFrame } from './frame.js';
import { russianGitSync } from './git-sync.js';
import { russianMoving, russianTemplates } from './moving.js';
import { russianCatalogue, russianHome } from './organization.js';
import { russianAccess, russianInviting, russianPeople, russianTeams } from './people.js';
import { russianChanges, russianComments, russianDifferences } from './review.js';
import { russianSingleSignOn } from './single-sign-on.js';
import { russianSites, russianVisits } from './sites.js';
import { russianHistory, russianReading, russianSettings } from './space.js';
import { russianImports, russianTree } from './writing.js';

export const russian: Translation = {
  frame: russianFrame,
  done: russianDone,
  signIn: russianSignIn,
  home: russianHome,
  moving: russianMoving,
  templates: russianTemplates,
  catalogue: russianCatalogue,
  reading: russianReading,
  tree: russianTree,
  imports: russianImports,
  settings: russianSettings,
  gitSync: russianGitSync,
  comments: russianComments,
  history: russianHistory,
  changes: russianChanges,
  differences: russianDifferences,
  notifications: russianNotifications,
  account: russianAccount,
  sites: russianSites,
  visits: russianVisits,
  people: russianPeople,
  inviting: russianInviting,
  teams: russianTeams,
  access: russianAccess,
  singleSignOn: russianSingleSignOn,
  editor: russianEditor,
  editing: russianEditing,
  blocks: russianBlocks,
  editorPhrases: russianEditorPhrases,
};
