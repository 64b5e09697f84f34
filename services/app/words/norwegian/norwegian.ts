import type { Translation } from '../words.js';
import { norwegianAccount, norwegianNotifications, norwegianSignIn } from './account.js';
import { norwegianBlocks, norwegianEditing, norwegianEditor, norwegianEditorPhrases } from './editor.js';
import { norwegianDone, norwegianFrame } from './frame.js';
import { norwegianGitSync } from './git-sync.js';
import { norwegianMoving, norwegianTemplates } from './moving.js';
import { norwegianCatalogue, norwegianHome } from './organization.js';
import { norwegianAccess, norwegianInviting, norwegianPeople, norwegianTeams } from './people.js';
import { norwegianChanges, norwegianComments, norwegianDifferences } from './review.js';
import { norwegianSingleSignOn } from './single-sign-on.js';
import { norwegianSites, norwegianVisits } from './sites.js';
import { norwegianHistory, norwegianReading, norwegianSettings } from './space.js';
import { norwegianImports, norwegianTree } from './writing.js';

export const norwegian: Translation = {
  frame: norwegianFrame,
  done: norwegianDone,
  signIn: norwegianSignIn,
  home: norwegianHome,
  moving: norwegianMoving,
  templates: norwegianTemplates,
  catalogue: norwegianCatalogue,
  reading: norwegianReading,
  tree: norwegianTree,
  imports: norwegianImports,
  settings: norwegianSettings,
  gitSync: norwegianGitSync,
  comments: norwegianComments,
  history: norwegianHistory,
  changes: norwegianChanges,
  differences: norwegianDifferences,
  notifications: norwegianNotifications,
  account: norwegianAccount,
  sites: norwegianSites,
  visits: norwegianVisits,
  people: norwegianPeople,
  inviting: norwegianInviting,
  teams: norwegianTeams,
  access: norwegianAccess,
  singleSignOn: norwegianSingleSignOn,
  editor: norwegianEditor,
  editing: norwegianEditing,
  blocks: norwegianBlocks,
  editorPhrases: norwegianEditorPhrases,
};
