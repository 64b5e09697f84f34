import type { Translation } from '../words.js';
import { spanishAccount, spanishNotifications, spanishSignIn } from './account.js';
import { spanishBlocks, spanishEditing, spanishEditor, spanishEditorPhrases } from './editor.js';
import { spanishDone, spanishFrame } from './frame.js';
import { spanishGitSync } from './git-sync.js';
import { spanishMoving, spanishTemplates } from './moving.js';
import { spanishCatalogue, spanishHome } from './organization.js';
import { spanishAccess, spanishInviting, spanishPeople, spanishTeams } from './people.js';
import { spanishChanges, spanishComments, spanishDifferences } from './review.js';
import { spanishSingleSignOn } from './single-sign-on.js';
import { spanishSites, spanishVisits } from './sites.js';
import { spanishHistory, spanishReading, spanishSettings } from './space.js';
import { spanishImports, spanishTree } from './writing.js';

export const spanish: Translation = {
  frame: spanishFrame,
  done: spanishDone,
  signIn: spanishSignIn,
  home: spanishHome,
  moving: spanishMoving,
  templates: spanishTemplates,
  catalogue: spanishCatalogue,
  reading: spanishReading,
  tree: spanishTree,
  imports: spanishImports,
  settings: spanishSettings,
  gitSync: spanishGitSync,
  comments: spanishComments,
  history: spanishHistory,
  changes: spanishChanges,
  differences: spanishDifferences,
  notifications: spanishNotifications,
  account: spanishAccount,
  sites: spanishSites,
  visits: spanishVisits,
  people: spanishPeople,
  inviting: spanishInviting,
  teams: spanishTeams,
  access: spanishAccess,
  singleSignOn: spanishSingleSignOn,
  editor: spanishEditor,
  editing: spanishEditing,
  blocks: spanishBlocks,
  editorPhrases: spanishEditorPhrases,
};
