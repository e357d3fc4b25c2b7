// The client of `shall lsp`: finds the program, starts it when a document has requirements, and says what to do when it is missing.

import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { promisify } from 'node:util'
import * as vscode from 'vscode'
import { LanguageClient, RevealOutputChannelOn } from 'vscode-languageclient/node'

let client: LanguageClient | undefined
let output: vscode.OutputChannel
let files: vscode.FileSystemWatcher

/** Whether a start was tried: a document is a reason for the first one only, so that no complaint comes twice. */
let tried = false

/** Starts and stops one after the other: each waits for the one before. */
let turn: Promise<void> = Promise.resolve()

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  output = vscode.window.createOutputChannel('shall')
  files = vscode.workspace.createFileSystemWatcher('**/{*.md,*.fretish,shall.toml}')
  const whenNeeded = (document: vscode.TextDocument) => {
    if (!tried && hasRequirements(document)) void restart()
  }
  context.subscriptions.push(
    output,
    files,
    vscode.commands.registerCommand('shall.restart', restart),
    vscode.commands.registerCommand('shall.version', showVersion),
    vscode.workspace.onDidOpenTextDocument(whenNeeded),
    vscode.workspace.onDidSaveTextDocument(whenNeeded),
    vscode.workspace.onDidChangeConfiguration(event => {
      if (tried && event.affectsConfiguration('shall.path')) void restart()
    }),
  )
  const settings = await vscode.workspace.findFiles('**/shall.toml', '**/node_modules/**', 1)
  if (settings.length > 0 || vscode.workspace.textDocuments.some(hasRequirements)) await restart()
}

export async function deactivate(): Promise<void> {
  await turn
  await stop()
}

/** Most Markdown has no requirements: then no program is started, and a missing one is no problem. */
function hasRequirements(document: vscode.TextDocument): boolean {
  const fence = /^[ \t>]*(?:`{3,}|~{3,})[ \t]*(?:fretish|sysreq)\b/im
  switch (document.languageId) {
    case 'fretish':
      return true
    case 'markdown':
      return fence.test(document.getText())
    default:
      return false
  }
}

function restart(): Promise<void> {
  tried = true
  turn = turn.then(async () => {
    await stop()
    await start()
  })
  return turn
}

async function stop(): Promise<void> {
  const running = client
  client = undefined
  // A server that has ended by itself cannot be stopped; that is no reason not to start a new one.
  await running?.dispose().catch(error => output.appendLine(`The language server did not stop in order: ${error}`))
}

async function start(): Promise<void> {
  const command = program()
  if ((await version(command)) === undefined) return
  const documents = ['file', 'untitled'].flatMap(scheme => [
    { scheme, language: 'fretish' },
    { scheme, language: 'markdown' },
  ])
  const starting = new LanguageClient(
    'shall',
    'shall',
    { command, args: ['lsp'] },
    {
      documentSelector: documents,
      outputChannel: output,
      synchronize: { fileEvents: files },
      revealOutputChannelOn: RevealOutputChannelOn.Never,
    },
  )
  client = starting
  try {
    await starting.start()
  } catch (error) {
    client = undefined
    output.appendLine(`${error}`)
    complain(`The language server \`${command} lsp\` did not start. Is this version of shall too old?`)
  }
}

/** The program that the settings name. */
function program(): string {
  const path = vscode.workspace.getConfiguration('shall').get<string>('path')?.trim() || 'shall'
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? ''
  return path.replace(/^~(?=$|[\\/])/, homedir()).replace(/\$\{workspaceFolder\}/g, () => folder)
}

/** What `shall --version` prints. If it cannot be run, says why, and what to do. */
async function version(command: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, ['--version'], { timeout: 10_000 })
    return stdout.trim()
  } catch (error) {
    output.appendLine(`${command} --version: ${error}`)
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const what = missing ? `The program \`${command}\` was not found.` : `The program \`${command}\` cannot be run.`
    complain(`${what} Install shall (\`cargo install --path crates/shall\` in its sources), or set shall.path.`)
    return undefined
  }
}

async function showVersion(): Promise<void> {
  const command = program()
  const text = await version(command)
  if (text !== undefined) void vscode.window.showInformationMessage(`${text} (${command})`)
}

/** Shows an error with ways out, and does not wait for the answer. */
function complain(message: string): void {
  const [settings, retry, log] = ['Open settings', 'Try again', 'Show output']
  void vscode.window.showErrorMessage(message, settings, retry, log).then(answer => {
    if (answer === settings) void vscode.commands.executeCommand('workbench.action.openSettings', 'shall.path')
    if (answer === retry) void restart()
    if (answer === log) output.show()
  })
}
