/** The notifications of a person. */
export const notifications = {
  title: 'Notifications',
  unread: '{0} unread notifications',
  none: 'Nothing new for you. Review requests, mentions and replies appear here.',
  further: 'Earlier notifications',
  markAll: 'Mark all as read',
  markRead: 'Mark as read',
  mention: '{0} mentioned you',
  reply: '{0} replied to you',
  comment: '{0} commented on your change request',
  reviewRequested: '{0} asks you for a review',
  approved: '{0} approved your change request',
  changesRequested: '{0} asks for changes in your change request',
  merged: 'Your change request was merged',
  mergedBy: '{0} merged your change request',
  new: 'New',
  about: '{0} in {1}',
};
