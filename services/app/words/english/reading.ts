export const reading = {
  read: 'Read',
  overview: 'Overview',
  pages: 'Pages',
  changeRequests: 'Change requests',
  history: 'History',
  import: 'Import',
  settings: 'Settings',
  edit: 'Edit',
  suggest: 'Edit in a change request',
  noPages: 'This space has no pages yet.',
  updated: 'Updated {0}',
  neighbours: 'Next and previous page',
};
