// SPDX-License-Identifier: Apache-2.0
//
// corten completion: scripts that complete command lines in bash, zsh and fish.
#include "args.hpp"

#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace cli {

namespace {

bool is_file(const OptionInfo& option) { return option.value.starts_with("FILE"); }
bool takes_file(const Command& command) {
  return command.arguments.find(".xml") != std::string_view::npos;
}

// a text with a backslash before each of some characters
std::string escaped(std::string_view text, std::string_view characters) {
  std::string out;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// a text between single quotes: a shell needs '\'' for a quote, fish takes \' as well
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string names_of(const Command& command) {
  std::string out = "--help";
  for (const OptionInfo& o : command.options) out += " " + std::string(o.name);
  return out;
}

// ---- bash ---------------------------------------------------------------------------------------
// An empty COMPREPLY makes bash complete files.
std::string bash_script() {
  std::string words = "help --help --version", values, options, arguments;
  const auto reply = [](std::string_view choices) {
    return "COMPREPLY=($(compgen -W \"" + std::string(choices) + "\" -- \"$word\")); return ;;\n";
  };
  for (const Command* c : commands) {
    const std::string name(c->name);
    words += " " + name;
    options += "      " + name + ") " + reply(names_of(*c));
    if (!c->choices.empty()) arguments += "    " + name + ") " + reply(c->choices);
    for (const OptionInfo& o : c->options) {
      if (o.value.empty()) continue;
      const std::string pattern = "    \"" + name + " " + std::string(o.name) + "\") ";
      if (is_file(o)) values += pattern + "return ;;\n";
      if (!o.choices.empty()) values += pattern + reply(o.choices);
    }
  }
  return "# bash completion of corten\n"
         "_corten() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local command=${COMP_WORDS[1]}\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" = 1 ] || [ \"$COMP_CWORD $command\" = \"2 help\" ]; then\n"
         "    COMPREPLY=($(compgen -W \"" +
         words +
         "\" -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"$command $before\" in\n" +
         values +
         "  esac\n"
         "  case \"$word\" in -*)\n"
         "    case \"$command\" in\n" +
         options +
         "    esac ;;\n"
         "  esac\n"
         "  case \"$command\" in\n" +
         arguments +
         "  esac\n"
         "}\n"
         "complete -o default -F _corten corten\n";
}

// ---- zsh ----------------------------------------------------------------------------------------
std::string zsh_script() {
  std::string names, cases;
  for (const Command* c : commands) {
    const std::string name(c->name);
    names += "    " + quoted(name + ":" + std::string(c->summary)) + "\n";
    cases += "    " + name + ")\n      _arguments '--help[show the help]'";
    for (const OptionInfo& o : c->options) {
      std::string line = std::string(o.name) + "[" + escaped(o.help, "[]\\") + "]";
      if (!o.value.empty()) line += ":" + escaped(o.value, ":\\") + ":";
      if (is_file(o)) line += "_files";
      if (!o.choices.empty()) line += "(" + std::string(o.choices) + ")";
      cases += " \\\n        " + quoted(line);
    }
    if (takes_file(*c)) cases += " \\\n        '*:model:_files'";
    if (!c->choices.empty()) {
      cases += " \\\n        " +
               quoted("1:" + escaped(c->arguments, ":\\") + ":(" + std::string(c->choices) + ")");
    }
    cases += " ;;\n";
  }
  return "#compdef corten\n"
         "_corten() {\n"
         "  local -a commands=(\n" +
         names +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    commands+=('help:show the help of a command')\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $command in\n"
         "    help) _describe command commands ;;\n" +
         cases +
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _corten ]; then _corten \"$@\"; else compdef _corten corten; "
         "fi\n";
}

// ---- fish ---------------------------------------------------------------------------------------
std::string fish_script() {
  std::string out =
      "# fish completion of corten\n"
      "complete -c corten -f\n"
      "complete -c corten -l help -s h -d 'show the help'\n"
      "complete -c corten -n __fish_use_subcommand -l version -d 'show the version'\n"
      "complete -c corten -n __fish_use_subcommand -a help -d 'show the help of a command'\n";
  for (const Command* c : commands) {
    const std::string name(c->name);
    const auto text = [](std::string_view s) { return "'" + escaped(s, "'\\") + "'"; };
    out +=
        "complete -c corten -n __fish_use_subcommand -a " + name + " -d " + text(c->summary) + "\n";
    const std::string inside = "complete -c corten -n '__fish_seen_subcommand_from " + name + "'";
    if (takes_file(*c)) out += inside + " -F\n";
    if (!c->choices.empty()) out += inside + " -a " + text(c->choices) + "\n";
    for (const OptionInfo& o : c->options) {
      out += inside + " -l " + std::string(o.name.substr(2));
      if (!o.value.empty()) out += is_file(o) ? " -r -F" : " -x";
      if (!o.choices.empty()) out += " -a " + text(o.choices);
      out += " -d " + text(o.help) + "\n";
    }
  }
  return out;
}

int run_completion(std::span<char* const> argv) {
  const auto args = parse_args(argv, {});
  if (!args) return complain(args.error(), bad_usage);
  const std::string shell = args->files.size() == 1 ? args->files[0] : "";
  std::string script;
  if (shell == "bash") script = bash_script();
  if (shell == "zsh") script = zsh_script();
  if (shell == "fish") script = fish_script();
  if (script.empty()) {
    return complain(usage_error("completion needs the name of a shell", "bash, zsh or fish"),
                    bad_usage);
  }
  return std::fputs(script.c_str(), stdout) < 0 ? failure : success;
}

constexpr Example examples[] = {
    {"source <(corten completion bash)",
     "complete in this shell; put it into ~/.bashrc to keep it"},
    {"corten completion zsh > ~/.zfunc/_corten", "for zsh, where ~/.zfunc is in fpath"},
    {"corten completion fish > ~/.config/fish/completions/corten.fish", "for fish"},
};

}  // namespace

const Command completion_command = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .summary = "print a script that completes command lines",
    .description =
        "Prints a script that makes the shell complete commands, options, their values and files. "
        "An installed corten has its scripts where bash, zsh and fish look for them.",
    .options = {},
    .examples = examples,
    .choices = "bash zsh fish",
    .run = run_completion};

}  // namespace cli
