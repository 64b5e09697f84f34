/** Free icons in place of those that only Font Awesome Pro has, by the names of the latter. */
const pairs = `
  sparkles wand-magic-sparkles / sparkle wand-magic-sparkles / bullseye-arrow bullseye / bullseye-pointer bullseye / user-robot robot
  message-bot robot / microchip-ai microchip / brain-circuit brain / head-side-brain brain / brain-arrow-curved-right brain
  arrow-up-to-line arrow-up-from-bracket / arrow-down-to-line download / arrow-right-to-line right-to-bracket
  arrow-left-to-line right-from-bracket / arrow-down-to-bracket download / arrow-up-to-arc arrow-up-from-bracket
  arrow-down-left-and-arrow-up-right-to-center down-left-and-up-right-to-center / arrow-progress bars-progress
  arrows-repeat repeat / arrows-rotate-reverse arrows-rotate
  chart-mixed chart-column / chart-mixed-up-circle-dollar chart-line / chart-network circle-nodes / chart-tree-map chart-simple
  chart-line-up arrow-trend-up / chart-line-down arrow-trend-down / chart-user chart-line / chart-scatter chart-line
  ballot-check list-check / ballot list / square-list list / list-radio list / clipboard-list-check clipboard-check
  books book / book-blank book / book-open-lines book-open / book-sparkles book / book-heart book / notebook book / notes note-sticky
  memo file-lines / memo-circle-check file-circle-check / memo-circle-info file-lines / memo-pad file-lines / page file-lines
  file-magnifying-glass magnifying-glass / file-chart-column chart-column / files copy / file-check file-circle-check
  file-heart file / file-spreadsheet file-excel / folder-gear folder / folder-bookmark folder
  folder-magnifying-glass folder-open / folder-user folder / folders folder / folder-arrow-up folder-open
  browser window-maximize / browsers window-restore / window window-maximize / rectangle-terminal terminal / square-code code
  brackets-square code / brackets-curly code / code-simple code / block-brick cubes / block-question cube / cube-open box-open
  puzzle puzzle-piece / puzzle-piece-simple puzzle-piece / plug-circle-sparkles plug / webhook circle-nodes / api code
  rectangle-api code / object-intersect object-group / grid table-cells / grid-2 table-cells-large / grid-2-plus table-cells-large
  grid-round table-cells / table-layout table-columns / table-pivot table / columns-3 table-columns / sidebar table-columns
  rectangle-history clock-rotate-left / rectangles-mixed table-cells-large / diagram-subtask diagram-project / diagram-nested sitemap
  diagram-cells table-cells / split code-branch / code-pull-request-draft code-pull-request / merge code-merge
  user-bounty-hunter user-secret / user-visor user-astronaut / users-medical users / user-magnifying-glass user / user-key user-lock
  screen-users chalkboard-user / people-simple people-group / hand-wave hand / hands-holding-dollar hand-holding-dollar
  party-horn champagne-glasses / party-bell bell / bell-on bell / bell-ring bell / megaphone bullhorn / lightbulb-on lightbulb
  lightbulb-exclamation lightbulb / bolt-auto bolt / bolt-slash bolt / rocket-launch rocket / planet-ringed globe / planet-moon moon
  globe-pointer globe / globe-stand globe / earth-listening earth-americas / cloud-check cloud / cloud-word cloud / cloud-binary cloud
  shield-check shield-halved / shield-keyhole shield-halved / shield-exclamation shield / lock-keyhole lock / lock-keyhole-open lock-open
  fingerprint-slash fingerprint / key-skeleton key / badge certificate / badge-check certificate / badge-dollar certificate
  circle-bolt bolt / circle-star star / circle-sparkles wand-magic-sparkles / star-sharp star / square-star star / stars star
  circle-1 1 / circle-2 2 / circle-3 3 / circle-4 4 / circle-5 5 / square-1 1 / square-2 2 / square-3 3 / square-info circle-info
  octagon-exclamation circle-exclamation
  atom-simple atom / flask-gear flask / gear-code gear / gear-complex gear / gears-complex gears
  sliders-simple sliders / sliders-up sliders / wrench-simple wrench / screwdriver-wrench-simple screwdriver-wrench / toolbox-simple toolbox
  paintbrush-pencil paintbrush / pen-line pen / pen-swirl pen-fancy / palette-boxes palette / swatch palette / image-landscape image
  images-user images / image-slash image / circle-camera camera / camera-slash camera / video-arrow-up-right video / clapperboard-play clapperboard
  message-lines message / message-question circle-question / message-smile comment / messages comments / messages-question comments
  comment-lines comment-dots / comments-question comments / envelope-open-dollar envelope-open / inbox-in inbox / paper-plane-top paper-plane
  calendar-lines calendar / calendar-star calendar / calendar-clock calendar-days / timer stopwatch / hourglass-clock hourglass-half / clock-desk clock
  money-bill-simple money-bill / credit-card-front credit-card / wallet-user wallet / coin coins / coin-front coins / cart-circle-check cart-shopping
  bag-shopping-plus bag-shopping / store-lock store / building-magnifying-glass building / buildings building / house-blank house / house-heart house
  map-location-arrow map-location-dot / road-circle-arrow road / route-highway route / compass-slash compass
  display-code desktop / laptop-mobile laptop / mobile-notch mobile-screen / computer-classic computer / server-rack server
  database-gear database / hard-drive-slash hard-drive / input-text i-cursor / input-numeric 1 / input-pipe i-cursor
  text-size text-height / heading-1 heading / link-horizontal link / link-simple link / link-simple-slash link-slash / bookmark-plus bookmark
  language-slash language / keyboard-brightness keyboard / command keyboard / circle-ellipsis ellipsis / ellipsis-stroke ellipsis
  magnifying-glass-waveform magnifying-glass / eye-evil eye / glasses-round glasses / telescope binoculars / radar satellite-dish / signal-stream tower-broadcast
  seedling-sprout seedling / leaf-heart leaf / tree-large tree / flower spa / heart-crack-slash heart / face-awesome face-grin-stars / clouds cloud
`;

export const substitutes: ReadonlyMap<string, string> = new Map(
  pairs
    .trim()
    .split(/\s*[/\n]\s*/)
    .map((pair) => pair.split(' ') as [string, string]),
);
