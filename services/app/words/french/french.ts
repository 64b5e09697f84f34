import type { Translation } from '../words.js';
import { frenchAccount, frenchNotifications, frenchSignIn } from './account.js';
import { frenchBlocks, frenchEditing, frenchEditor, frenchEditorPhrases } from './editor.js';
import { frenchDone, frenchFrame } from './frame.js';
import { frenchGitSync } from './git-sync.js';
import { frenchMoving, frenchTemplates } from './moving.js';
import { frenchCatalogue, frenchHome } from './organization.js';
import { frenchAccess, frenchInviting, frenchPeople, frenchTeams } from './people.js';
import { frenchChanges, frenchComments, frenchDifferences } from './review.js';
import { frenchSingleSignOn } from './single-sign-on.js';
import { frenchSites, frenchVisits } from './sites.js';
import { frenchHistory, frenchReading, frenchSettings } from './space.js';
import { frenchImports, frenchTree } from './writing.js';

export const french: Translation = {
  frame: frenchFrame,
  done: frenchDone,
  signIn: frenchSignIn,
  home: frenchHome,
  moving: frenchMoving,
  templates: frenchTemplates,
  catalogue: frenchCatalogue,
  reading: frenchReading,
  tree: frenchTree,
  imports: frenchImports,
  settings: frenchSettings,
  gitSync: frenchGitSync,
  comments: frenchComments,
  history: frenchHistory,
  changes: frenchChanges,
  differences: frenchDifferences,
  notifications: frenchNotifications,
  account: frenchAccount,
  sites: frenchSites,
  visits: frenchVisits,
  people: frenchPeople,
  inviting: frenchInviting,
  teams: frenchTeams,
  access: frenchAccess,
  singleSignOn: frenchSingleSignOn,
  editor: frenchEditor,
  editing: frenchEditing,
  blocks: frenchBlocks,
  editorPhrases: frenchEditorPhrases,
};
