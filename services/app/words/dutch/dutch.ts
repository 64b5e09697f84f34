import type { Translation } from '../words.js';
import { dutchAccount, dutchNotifications, dutchSignIn } from './account.js';
import { dutchBlocks, dutchEditing, dutchEditor, dutchEditorPhrases } from './editor.js';
import { dutchDone, dutchFrame } from './frame.js';
import { dutchGitSync } from './git-sync.js';
import { dutchMoving, dutchTemplates } from './moving.js';
import { dutchCatalogue, dutchHome } from './organization.js';
import { dutchAccess, dutchInviting, dutchPeople, dutchTeams } from './people.js';
import { dutchChanges, dutchComments, dutchDifferences } from './review.js';
import { dutchSingleSignOn } from './single-sign-on.js';
import { dutchSites, dutchVisits } from './sites.js';
import { dutchHistory, dutchReading, dutchSettings } from './space.js';
import { dutchImports, dutchTree } from './writing.js';

export const dutch: Translation = {
  frame: dutchFrame,
  done: dutchDone,
  signIn: dutchSignIn,
  home: dutchHome,
  moving: dutchMoving,
  templates: dutchTemplates,
  catalogue: dutchCatalogue,
  reading: dutchReading,
  tree: dutchTree,
  imports: dutchImports,
  settings: dutchSettings,
  gitSync: dutchGitSync,
  comments: dutchComments,
  history: dutchHistory,
  changes: dutchChanges,
  differences: dutchDifferences,
  notifications: dutchNotifications,
  account: dutchAccount,
  sites: dutchSites,
  visits: dutchVisits,
  people: dutchPeople,
  inviting: dutchInviting,
  teams: dutchTeams,
  access: dutchAccess,
  singleSignOn: dutchSingleSignOn,
  editor: dutchEditor,
  editing: dutchEditing,
  blocks: dutchBlocks,
  editorPhrases: dutchEditorPhrases,
};
