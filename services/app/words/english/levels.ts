/** Levels of access to spaces and collections; each includes those below it. */
export const levels = {
  admin: 'Administer',
  create: 'Create',
  review: 'Review',
  edit: 'Edit',
  comment: 'Comment',
  read: 'Read',
  none: 'No access',
  inherit: 'As where it stands',
};
