export const visits = {
  title: 'Visits',
  lead: 'The last 30 days. Days begin at midnight UTC.',
  views: 'Page views',
  visitors: 'Visitors',
  chart: 'Page views and visitors of each day, {0} to {1}: {2} page views in all, at most {3} on a day.',
  day: 'Day',
  dayText: '{0}: {1} page views, {2} visitors',
  table: 'The numbers as a table',
  none: 'Nobody has visited the site in the last 30 days.',
  unavailable:
    'The visits cannot be counted right now: the part of this server that counts them does not answer. Try again in a moment.',
  pages: 'Most viewed pages',
  page: 'Page',
  gone: 'A page that is gone',
  hidden: 'A page of a space that you may not read',
};
