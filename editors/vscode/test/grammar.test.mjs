// Sentences and how they are coloured: each expected piece is `text|scope`, where the scope is the end of a name without the
// language (`timing` stands for `constant.numeric.timing.fretish`). Pieces must occur in this order; what is between them is not checked.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'

const require = createRequire(import.meta.url)
const textmate = require('vscode-textmate')
const oniguruma = require('vscode-oniguruma')

const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'))
const onigLib = oniguruma.loadWASM(wasm).then(() => ({
  createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
  createOnigString: text => new oniguruma.OnigString(text),
}))

// Only what the injection needs of a Markdown grammar: a root that has paragraphs.
const MARKDOWN = JSON.stringify({
  scopeName: 'text.html.markdown',
  patterns: [{ match: '^#+ .*$', name: 'markup.heading.markdown' }],
})
const FILES = {
  'source.fretish': 'fretish',
  'source.sysreq': 'sysreq',
  'markdown.requirement.codeblock': 'markdown',
}
const registry = new textmate.Registry({
  onigLib,
  loadGrammar: async scope => {
    if (scope === 'text.html.markdown') return textmate.parseRawGrammar(MARKDOWN, 'markdown.json')
    const path = new URL(`../syntaxes/${FILES[scope]}.tmLanguage.json`, import.meta.url)
    return textmate.parseRawGrammar(readFileSync(path, 'utf8'), path.pathname)
  },
  getInjections: scope => (scope === 'text.html.markdown' ? ['markdown.requirement.codeblock'] : []),
})

/** All pieces of a text that are not white space: `text`, and the names of its scopes. */
async function pieces(root, text) {
  const grammar = await registry.loadGrammar(root)
  const found = []
  let stack = textmate.INITIAL
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack)
    stack = ruleStack
    for (const { startIndex, endIndex, scopes } of tokens) {
      const piece = line.slice(startIndex, endIndex).trim()
      if (piece !== '') found.push({ piece, scopes })
    }
  }
  return found
}

async function check(root, text, expected) {
  const found = await pieces(root, text)
  const shown = found.map(({ piece, scopes }) => `${piece}|${scopes.slice(1).join(' ')}`).join('\n')
  let at = 0
  for (const want of expected) {
    const bar = want.lastIndexOf('|')
    const [piece, scope] = [want.slice(0, bar), want.slice(bar + 1)]
    const fits = found.findIndex(
      (token, index) => index >= at && token.piece === piece && `.${token.scopes.at(-1)}`.match(`\\.${scope}\\.\\w+$`),
    )
    assert.ok(fits >= 0, `\`${want}\` is missing (from piece ${at} on) in\n${shown}`)
    at = fits + 1
  }
}

const TABLE = [
  // components, shall, satisfy
  ['the pump shall always satisfy p', ['the|article', 'pump|component', 'shall|shall', 'always|timing', 'satisfy|satisfy', 'p|variable.other']],
  ['Pump shall satisfy p.', ['Pump|component', 'shall|shall', 'satisfy|satisfy', 'p|variable.other', '.|terminator']],
  ['shall the pump never satisfy p', ['shall|shall', 'the|article', 'pump|component', 'never|timing', 'satisfy|satisfy']],
  ['shall pump immediately satisfy p', ['shall|shall', 'pump|component', 'immediately|timing']],
  ['The "coffee machine" SHALL Satisfy p', ['The|article', '"coffee machine"|component', 'SHALL|shall', 'Satisfy|satisfy']],
  ['the pump must always satisfy p', ['pump|component', 'must|illegal.shall', 'always|timing', 'satisfy|satisfy']],
  ['the pump shall always satisfies p', ['always|timing', 'satisfies|illegal.satisfy', 'p|variable.other']],
  // scopes
  ['in roll_hold mode, when p, RollAP shall satisfy q', ['in|scope', 'roll_hold|variable.other', 'mode|scope', 'when|condition', 'RollAP|component']],
  ['only during m the pump shall satisfy q', ['only during|scope', 'm|variable.other', 'the|article', 'pump|component']],
  ['when not in m, upon p the pump shall satisfy q', ['when not in|scope', 'm|variable.other', 'upon|condition', 'pump|component']],
  ['when in > 3 the pump shall satisfy q', ['when|condition', 'in|variable.other', '>|comparison', '3|constant.numeric']],
  ['except while mode = 2, the pump shall satisfy q', ['except while|scope', 'mode|variable.other', '=|comparison', '2|constant.numeric']],
  ['before takeoff the pump shall before landing satisfy q', ['before|scope', 'takeoff|variable.other', 'pump|component', 'before|timing', 'landing|variable.other', 'q|variable.other']],
  ['after in.air, the pump shall after 3 ms satisfy after.x', ['after|scope', 'in.air|variable.other', 'after|timing', '3|constant.numeric', 'ms|unit', 'after.x|variable.other']],
  // conditions and expressions
  ['whenever !p & (a xor b), or if c unless d the pump shall satisfy q', ['whenever|condition', '!|logical', '&|logical', '(|parens.begin', 'xor|logical', ')|parens.end', ',|separator', 'or|logical', 'if|condition', 'unless|condition', 'd|variable.other', 'pump|component']],
  ['when persisted(3, p) & f(x) the pump shall satisfy q', ['persisted|support.function', '3|constant.numeric', ',|separator', 'p|variable.other', 'f|entity.name.function', 'pump|component']],
  ['when p is true and not (q) the pump shall satisfy TRUE', ['is|comparison', 'true|boolean', 'and|logical', 'not|logical', '(|parens.begin', 'TRUE|boolean']],
  ['the pump shall satisfy x-1 >= 2.5e3 <-> größe mod 2 = 0', ['x|variable.other', '-|arithmetic', '1|constant.numeric', '>=|comparison', '2.5e3|constant.numeric', '<->|logical', 'größe|variable.other', 'mod|arithmetic']],
  ['the pump shall satisfy p ∧ ¬q → x ≠ ⊤', ['∧|logical', '¬|logical', '→|logical', '≠|comparison', '⊤|boolean']],
  ['the pump shall satisfy at the previous occurrence of p, if q then "a b"', ['at the previous occurrence of|temporal', 'p|variable.other', ',|separator', 'if|logical', 'then|logical', '"a b"|string.quoted.double']],
  // timings
  ['the pump shall within 60sec satisfy s', ['within|timing', '60|constant.numeric', 'sec|unit', 'satisfy|satisfy', 's|variable.other']],
  ['the pump shall for RESPONSE_TIME hours satisfy q', ['for|timing', 'RESPONSE_TIME|constant', 'hours|unit', 'satisfy|satisfy']],
  ['the pump shall at the next time point satisfy q', ['at the next time point|timing', 'satisfy|satisfy']],
  ['the pump shall until h > 2, satisfy q', ['until|timing', 'h|variable.other', '>|comparison', 'satisfy|satisfy']],
  ['the pump shall with probability >= 0.99 eventually satisfy q', ['with probability|probability', '>=|comparison', '0.99|constant.numeric', 'eventually|timing']],
  // documents
  ['# when p\n"a note: the pump shall satisfy p"\nAP-003b: when q the pump shall satisfy r', ['#|comment', 'when p|line.number-sign', '"a note: the pump shall satisfy p"|note', 'AP-003b|id', 'when|condition']],
  ['"a note that\nis long"\nthe pump shall satisfy p', ['is long|note', '"|note', 'the|article', 'pump|component']],
  ['when p,\nthe pump\nshall\nafter 3 ticks\nsatisfy q &\nr', ['when|condition', 'pump|component', 'shall|shall', 'after|timing', 'ticks|unit', 'satisfy|satisfy', 'r|variable.other']],
  ['the pump shall satisfy p\nafter m the pump shall satisfy q', ['p|variable.other', 'after|scope', 'm|variable.other', 'pump|component']],
  ['the pump shall satisfy p\n\nafter m\nthe pump shall satisfy q', ['p|variable.other', 'after|scope', 'm|variable.other', 'pump|component']],
  ['the pump shall satisfy p. in m the pump shall satisfy q', ['.|terminator', 'in|scope', 'pump|component']],
  ['when (p the pump shall always satisfy (q\n\nin m the pump shall satisfy r', ['when|condition', 'always|timing', 'satisfy|satisfy', 'q|variable.other', 'in|scope', 'pump|component']],
]

for (const [sentence, expected] of TABLE) {
  test(sentence.replaceAll('\n', ' ⏎ '), () => check('source.fretish', sentence, expected))
}

test('controlled English', () =>
  check('source.sysreq', 'REQ001: When the system mode becomes "idle", the coffee machine shall: assign 3 to the counter.', [
    'REQ001|id', 'When|condition', 'the|article', 'becomes|comparison', '"idle"|string.quoted.double', 'the|article',
    'coffee machine|component', 'shall|shall', 'assign|action', '3|constant.numeric', 'to|preposition', 'counter|variable.other', '.|terminator',
  ]))

for (const [open, close] of [['```fretish', '```'], ['  ~~~~ FRETish {#x}', '  ~~~~']]) {
  test(`a fenced block ${open}`, () =>
    check('text.html.markdown', `when p\n${open}\nin m the pump shall satisfy (p\n${close}\n# A heading`, [
      open.trim().split(/\s*(?=[fF])/)[0] + '|definition', 'in|scope', 'pump|component', 'p|variable.other', `${close.trim()}|definition`, '# A heading|heading',
    ]))
}

test('a fenced block of controlled English', () =>
  check('text.html.markdown', '```sysreq\nWhen x is 1, the y shall reset z.\n```\n# A heading', [
    'When|condition', 'y|component', 'reset|action', '```|definition', '# A heading|heading',
  ]))

test('other fenced blocks are left alone', async () => {
  const found = await pieces('text.html.markdown', '```fretishes\nin m the pump shall satisfy p\n```')
  assert.deepEqual(found.flatMap(({ scopes }) => scopes.slice(1)), [])
})
