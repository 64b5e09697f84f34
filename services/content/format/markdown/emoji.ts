// The most common short names with their code points; others stay as written.
const NAMES =
  'grinning:1f600 smiley:1f603 smile:1f604 grin:1f601 laughing:1f606 sweat_smile:1f605 rofl:1f923 joy:1f602 wink:1f609 blush:1f60a ' +
  'innocent:1f607 heart_eyes:1f60d star_struck:1f929 kissing_heart:1f618 yum:1f60b stuck_out_tongue:1f61b hugs:1f917 thinking:1f914 ' +
  'neutral_face:1f610 smirk:1f60f unamused:1f612 roll_eyes:1f644 relieved:1f60c pensive:1f614 sleeping:1f634 mask:1f637 ' +
  'exploding_head:1f92f cowboy_hat_face:1f920 partying_face:1f973 sunglasses:1f60e nerd_face:1f913 confused:1f615 worried:1f61f ' +
  'open_mouth:1f62e flushed:1f633 cry:1f622 sob:1f62d scream:1f631 tired_face:1f62b rage:1f621 angry:1f620 skull:1f480 ghost:1f47b ' +
  'alien:1f47d robot:1f916 poop:1f4a9 heart:2764 broken_heart:1f494 orange_heart:1f9e1 yellow_heart:1f49b green_heart:1f49a ' +
  'blue_heart:1f499 purple_heart:1f49c black_heart:1f5a4 sparkling_heart:1f496 100:1f4af boom:1f4a5 dizzy:1f4ab speech_balloon:1f4ac ' +
  'thought_balloon:1f4ad zzz:1f4a4 wave:1f44b raised_hand:270b vulcan_salute:1f596 ok_hand:1f44c v:270c crossed_fingers:1f91e ' +
  'metal:1f918 call_me_hand:1f919 point_left:1f448 point_right:1f449 point_up:261d point_up_2:1f446 point_down:1f447 +1:1f44d ' +
  'thumbsup:1f44d -1:1f44e thumbsdown:1f44e fist:270a punch:1f44a clap:1f44f raised_hands:1f64c handshake:1f91d pray:1f64f ' +
  'muscle:1f4aa writing_hand:270d eyes:1f440 brain:1f9e0 baby:1f476 man:1f468 woman:1f469 shrug:1f937 facepalm:1f926 bow:1f647 ' +
  'detective:1f575 construction_worker:1f477 technologist:1f9d1-200d-1f4bb dog:1f436 cat:1f431 mouse:1f42d fox_face:1f98a bear:1f43b ' +
  'panda_face:1f43c lion:1f981 monkey:1f412 see_no_evil:1f648 chicken:1f414 penguin:1f427 bird:1f426 owl:1f989 unicorn:1f984 bee:1f41d ' +
  'bug:1f41b butterfly:1f98b snail:1f40c ladybug:1f41e turtle:1f422 snake:1f40d whale:1f433 dolphin:1f42c octopus:1f419 crab:1f980 ' +
  'elephant:1f418 rabbit:1f430 horse:1f434 cactus:1f335 evergreen_tree:1f332 deciduous_tree:1f333 palm_tree:1f334 seedling:1f331 ' +
  'herb:1f33f four_leaf_clover:1f340 sunflower:1f33b rose:1f339 cherry_blossom:1f338 apple:1f34e banana:1f34c lemon:1f34b ' +
  'strawberry:1f353 pizza:1f355 hamburger:1f354 taco:1f32e cookie:1f36a cake:1f370 birthday:1f382 coffee:2615 tea:1f375 beer:1f37a ' +
  'beers:1f37b wine_glass:1f377 cocktail:1f378 earth_africa:1f30d earth_americas:1f30e earth_asia:1f30f globe_with_meridians:1f310 ' +
  'world_map:1f5fa mountain:26f0 house:1f3e0 house_with_garden:1f3e1 office:1f3e2 hospital:1f3e5 bank:1f3e6 school:1f3eb factory:1f3ed ' +
  'stadium:1f3df bridge_at_night:1f309 car:1f697 red_car:1f697 taxi:1f695 bus:1f68c ambulance:1f691 truck:1f69a bike:1f6b2 ' +
  'train:1f686 airplane:2708 rocket:1f680 helicopter:1f681 ship:1f6a2 anchor:2693 construction:1f6a7 watch:231a hourglass:231b ' +
  'alarm_clock:23f0 stopwatch:23f1 timer_clock:23f2 sunny:2600 cloud:2601 rainbow:1f308 umbrella:2614 zap:26a1 snowflake:2744 ' +
  'snowman:26c4 fire:1f525 droplet:1f4a7 ocean:1f30a star:2b50 star2:1f31f sparkles:2728 tada:1f389 confetti_ball:1f38a balloon:1f388 ' +
  'gift:1f381 trophy:1f3c6 medal_sports:1f3c5 1st_place_medal:1f947 2nd_place_medal:1f948 3rd_place_medal:1f949 soccer:26bd ' +
  'basketball:1f3c0 dart:1f3af video_game:1f3ae game_die:1f3b2 jigsaw:1f9e9 art:1f3a8 performing_arts:1f3ad mega:1f4e3 ' +
  'loudspeaker:1f4e2 bell:1f514 no_bell:1f515 musical_note:1f3b5 microphone:1f3a4 headphones:1f3a7 guitar:1f3b8 iphone:1f4f1 ' +
  'phone:260e telephone:260e battery:1f50b electric_plug:1f50c computer:1f4bb desktop_computer:1f5a5 printer:1f5a8 keyboard:2328 ' +
  'floppy_disk:1f4be cd:1f4bf camera:1f4f7 video_camera:1f4f9 movie_camera:1f3a5 tv:1f4fa mag:1f50d mag_right:1f50e bulb:1f4a1 ' +
  'flashlight:1f526 book:1f4d6 open_book:1f4d6 books:1f4da notebook:1f4d3 ledger:1f4d2 scroll:1f4dc page_facing_up:1f4c4 ' +
  'newspaper:1f4f0 bookmark:1f516 bookmark_tabs:1f4d1 label:1f3f7 moneybag:1f4b0 dollar:1f4b5 credit_card:1f4b3 chart:1f4b9 email:2709 ' +
  'envelope:2709 incoming_envelope:1f4e8 package:1f4e6 mailbox:1f4eb ballot_box:1f5f3 pencil:1f4dd memo:1f4dd pencil2:270f pen:1f58a ' +
  'briefcase:1f4bc file_folder:1f4c1 open_file_folder:1f4c2 card_index_dividers:1f5c2 calendar:1f4c6 date:1f4c5 clipboard:1f4cb ' +
  'pushpin:1f4cc round_pushpin:1f4cd paperclip:1f4ce straight_ruler:1f4cf triangular_ruler:1f4d0 scissors:2702 wastebasket:1f5d1 ' +
  'lock:1f512 unlock:1f513 closed_lock_with_key:1f510 key:1f511 old_key:1f5dd hammer:1f528 axe:1fa93 pick:26cf ' +
  'hammer_and_wrench:1f6e0 tools:1f6e0 shield:1f6e1 wrench:1f527 nut_and_bolt:1f529 gear:2699 balance_scale:2696 link:1f517 ' +
  'chains:26d3 toolbox:1f9f0 magnet:1f9f2 test_tube:1f9ea dna:1f9ec microscope:1f52c telescope:1f52d satellite:1f4e1 pill:1f48a ' +
  'door:1f6aa bed:1f6cf shopping_cart:1f6d2 warning:26a0 no_entry:26d4 no_entry_sign:1f6ab x:274c o:2b55 white_check_mark:2705 ' +
  'heavy_check_mark:2714 ballot_box_with_check:2611 question:2753 grey_question:2754 exclamation:2757 heavy_exclamation_mark:2757 ' +
  'bangbang:203c interrobang:2049 information_source:2139 recycle:267b arrow_right:27a1 arrow_left:2b05 arrow_up:2b06 arrow_down:2b07 ' +
  'arrow_upper_right:2197 arrows_counterclockwise:1f504 repeat:1f501 fast_forward:23e9 rewind:23ea arrow_forward:25b6 ' +
  'pause_button:23f8 stop_button:23f9 heavy_plus_sign:2795 heavy_minus_sign:2796 heavy_multiplication_x:2716 infinity:267e new:1f195 ' +
  'free:1f193 up:1f199 cool:1f192 ok:1f197 sos:1f198 top:1f51d soon:1f51c back:1f519 one:31-20e3 two:32-20e3 three:33-20e3 ' +
  'four:34-20e3 five:35-20e3 six:36-20e3 seven:37-20e3 eight:38-20e3 nine:39-20e3 zero:30-20e3 keycap_ten:1f51f ' +
  'red_circle:1f534 orange_circle:1f7e0 yellow_circle:1f7e1 green_circle:1f7e2 blue_circle:1f535 purple_circle:1f7e3 ' +
  'black_circle:26ab white_circle:26aa red_square:1f7e5 green_square:1f7e9 blue_square:1f7e6 large_blue_diamond:1f537 ' +
  'small_blue_diamond:1f539 large_orange_diamond:1f536 checkered_flag:1f3c1 triangular_flag_on_post:1f6a9 rainbow_flag:1f3f3-200d-1f308 crown:1f451 gem:1f48e';

const CODES = new Map(
  NAMES.split(' ').map((entry) => {
    const colon = entry.lastIndexOf(':');
    return [entry.slice(0, colon), entry.slice(colon + 1)];
  }),
);

/** `tada` -> `1f389`: code points in hexadecimal, joined by `-`. */
export function emojiCode(shortName: string): string | undefined {
  return CODES.get(shortName);
}

/** `1f389` -> 🎉; anything that is not a list of code points is returned unchanged. */
export function emojiCharacter(code: string): string {
  if (!/^[0-9a-fA-F]{2,6}(?:-[0-9a-fA-F]{2,6}){0,9}$/.test(code)) return code;
  const points = code.split('-').map((hex) => Number.parseInt(hex, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : code;
}

const LEADING_EMOJI =
  /^(\p{Extended_Pictographic}(?:[\uFE0F\u{1F3FB}-\u{1F3FF}]|\u200D\p{Extended_Pictographic}){0,10}|\p{Regional_Indicator}{2})\s*/u;

/** Splits a title into its leading emoji and the rest. */
export function splitLeadingEmoji(title: string): { emoji?: string; title: string } {
  const emoji = LEADING_EMOJI.exec(title);
  const rest = emoji ? title.slice(emoji[0].length) : '';
  return emoji?.[1] && rest !== '' ? { emoji: emoji[1], title: rest } : { title };
}
