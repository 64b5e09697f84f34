/** The file of a language in highlight.js, and the other names that blocks give it. */
const table = `
  1c / abnf / accesslog / actionscript as / ada / angelscript asc / apache apacheconf htaccess / applescript osascript / arcade / arduino ino
  armasm arm / asciidoc adoc / aspectj / autohotkey ahk / autoit / avrasm / awk / axapta x++ / bash sh zsh fish / basic / bnf / brainfuck bf
  c h / cal / capnproto capnp / ceylon / clean icl dcl / clojure-repl / clojure clj edn / cmake cmake.in / coffeescript coffee cson iced
  coq / cos cls / cpp cc c++ h++ hpp hh hxx cxx / crmsh crm pcmk / crystal cr / csharp cs c# csx dotnet blazor
  csp / css postcss / d / dart flutter / delphi dpr dfm pas pascal / diff patch git-diff / django jinja jinja2 nunjucks
  dns bind zone / dockerfile docker containerfile / dos bat batch cmd / dsconfig / dts / dust dst / ebnf / elixir ex exs / elm / erb / erlang-repl
  erlang erl / excel xlsx xls / fix / flix / fortran f90 f95 / freedesktop desktop systemd / fsharp fs f# / gams gms / gauss gss / gcode nc
  gherkin feature cucumber / glsl hlsl wgsl / gml / go golang / golo / gradle / graphql gql / groovy jenkinsfile / haml
  handlebars hbs html.hbs html.handlebars htmlbars mustache / haskell hs / haxe hx / hsp / http https url uri rest / hy hylang / inform7 i7
  ini toml dotenv env editorconfig gitconfig npmrc conf cfg config hcl terraform tf / irpf90 / isbl / java jsp / javascript js jsx mjs cjs node nodejs
  jboss-cli wildfly-cli / json jsonc json5 jsonl ndjson json-ld webmanifest / julia-repl jldoctest / julia jl / kotlin kt kts ktm ktx
  lasso lassoscript / latex tex / ldif / leaf / less / lisp elisp emacs-lisp common-lisp / livecodeserver / livescript ls / llvm / lsl / lua pluto
  makefile mk mak make / markdown md mkdown mkd mdx / mathematica mma wl / matlab octave / maxima / mel / mercury moo / mipsasm mips / mizar
  mojolicious / monkey / moonscript moon / n1ql / nestedtext nt / nginx nginxconf / nim / nix nixos / node-repl / nsis
  objectivec mm objc obj-c obj-c++ objective-c objective-c++ / ocaml ml / openscad scad / oxygene / parser3 / perl pl pm / pf pf.conf
  pgsql postgres postgresql plpgsql / php-template / php / plaintext text txt plain none output log / pony / powershell pwsh ps ps1 psm1
  processing pde / profile / prolog / properties / protobuf proto proto3 / puppet pp / purebasic pb pbi / python-repl pycon / python py py3 gyp ipython starlark bzl
  q k kdb / qml qt / r / reasonml re / rib / roboconf graph instances / routeros mikrotik / rsl / ruby rb gemspec podspec thor irb / ruleslanguage
  rust rs / sas / scala sbt / scheme scm racket / scilab sci / scss sass / shell console shellsession shell-session terminal bash-session
  smali / smalltalk st / sml / sqf / sql mysql sqlite mssql tsql plsql / stan stanfuncs / stata do ado / step21 p21 step stp / stylus styl / subunit
  swift / taggerscript / tap / tcl tk / thrift / tp / twig craftcms liquid / typescript ts tsx mts cts / vala / vbnet vb visual-basic
  vbscript-html / vbscript vbs vba / verilog v sv svh systemverilog / vhdl / vim viml / wasm wat / wren / x86asm asm nasm assembly / xl tao
  xml html xhtml rss atom xjb xsd xsl xslt plist wsf svg vue svelte astro htm cshtml razor aspx xaml csproj markup mathml
  xquery xpath xq xqm / yaml yml docker-compose openapi kubernetes k8s helm / zephir zep / solidity sol / zig
`;

/** Languages that others are written in, by highlight.js: without these, such parts stay plain. */
const parts: Record<string, string[]> = {
  xml: ['css', 'javascript'],
  javascript: ['xml', 'css', 'graphql'],
  typescript: ['xml', 'css', 'graphql'],
  markdown: ['xml'],
  http: ['json', 'xml'],
  dockerfile: ['bash'],
  shell: ['bash'],
  'php-template': ['xml', 'php'],
  'python-repl': ['python'],
  'julia-repl': ['julia'],
  'node-repl': ['javascript'],
  'clojure-repl': ['clojure'],
  'vbscript-html': ['xml', 'vbscript'],
  coffeescript: ['javascript'],
  livescript: ['javascript'],
  cos: ['sql', 'javascript', 'xml'],
  erb: ['xml', 'ruby'],
  haml: ['ruby'],
  mojolicious: ['xml', 'perl'],
  dart: ['markdown'],
  nix: ['markdown'],
  tap: ['yaml'],
  pgsql: ['python', 'perl', 'json'],
  ...Object.fromEntries(
    ['asciidoc', 'django', 'dust', 'handlebars', 'parser3', 'qml', 'twig', 'xquery'].map((name) => [name, ['xml']]),
  ),
};

/** Languages that highlight.js has not, with one that reads them well. */
const nearest = new Map([
  ['solidity', 'javascript'],
  ['zig', 'rust'],
]);

const byName = new Map<string, string>();
for (const entry of table.trim().split(/\s*[/\n]\s*/)) {
  const [file = '', ...others] = entry.split(' ');
  for (const name of [file, ...others]) byName.set(name, nearest.get(file) ?? file);
}

/** The name of a language in highlight.js; undefined for unknown ones and for plain text. */
export function languageOf(syntax: string): string | undefined {
  const language = syntax.length > 40 ? undefined : byName.get(syntax.trim().toLowerCase());
  return language === 'plaintext' ? undefined : language;
}

export const partsOfLanguage = (language: string): string[] =>
  Object.hasOwn(parts, language) ? (parts[language] ?? []) : [];

/** The languages that the table names. */
export const knownLanguages = (): ReadonlySet<string> => new Set(byName.values());
