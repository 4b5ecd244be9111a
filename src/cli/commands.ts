import { backup } from './backup.ts'
import { check } from './check.ts'
import type { Command } from './command.ts'
import { demo } from './demo.ts'
import { exportTable } from './export.ts'
import { importFile } from './import.ts'
import {
  archiveUserCommand,
  changePassword,
  createToken,
  createUserCommand,
  inviteUser,
  listTokens,
  listUsers,
  revokeTokenCommand,
} from './people.ts'
import { createFieldCommand, createTableCommand, deleteFieldCommand, deleteTableCommand, listTables, showTable } from './tables.ts'
import { eraseTrash, listTrash, purgeTrash, restoreTrash } from './trash.ts'

/** Every command that works on an installation, in the order the help shows them. `serve` and `restore` stand in program.ts. */
export const commands: readonly Command[] = [
  demo,
  importFile,
  exportTable,
  listTables,
  showTable,
  createTableCommand,
  deleteTableCommand,
  createFieldCommand,
  deleteFieldCommand,
  listUsers,
  createUserCommand,
  changePassword,
  archiveUserCommand,
  inviteUser,
  createToken,
  listTokens,
  revokeTokenCommand,
  listTrash,
  restoreTrash,
  eraseTrash,
  purgeTrash,
  backup,
  check,
]
