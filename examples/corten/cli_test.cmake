# SPDX-License-Identifier: Apache-2.0
#
# Command lines of the tool: what each returns and says.
#
#   cmake -DCORTEN=path/to/corten -P cli_test.cmake        writes into the current folder

set(failures 0)

# runs corten with the arguments after the first two; the output, both streams, must match the pattern
function(expect code pattern)
  execute_process(COMMAND "${CORTEN}" ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REPLACE "\n" " " line "${text}")
  if(NOT result STREQUAL code OR NOT line MATCHES "${pattern}")
    string(JOIN " " command ${ARGN})
    message("corten ${command}\n  returned ${result}, expected ${code}; said: ${text}\n  expected: ${pattern}")
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
  endif()
endfunction()

# a file must exist and begin with the text
function(expect_file path start)
  file(READ "${path}" text LIMIT 2000)
  if(NOT text MATCHES "^${start}")
    message("${path} does not begin with ${start}")
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
  endif()
endfunction()

file(WRITE cli_ball.xml "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
<body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>\n")
file(WRITE cli_still.xml "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>\n")
file(WRITE cli_broken.xml "<mujoco><worldbody>\n <geom size='1' tpe='sphere'/></worldbody></mujoco>\n")
file(WRITE cli_broken.json "{\"data\": [1,\n")
file(WRITE cli_cut.bin "corten m and no more than these few words")
file(WRITE cli_dump.json "{\"data\": [{\"step\": 3, \"kind\": \"step\", \"pre\": {\"time\": 1,
 \"qpos\": [0, 0, 2, 1, 0, 0, 0]}}]}\n")

# ---- what works --------------------------------------------------------------------------------------
expect(0 "corten [0-9]+\\.[0-9]+\\.[0-9]+" --version)
expect(0 "Commands.*simulate.*inspect.*Exit codes" --help)
expect(0 "corten simulate .MODEL.xml. .options.*--csv FILE.csv.*Examples.*corten simulate robot.xml" simulate --help)
expect(0 "--data FILE.json.*Examples" help inspect)
expect(0 "steps +50 .*contacts.*solver iterations.*energy.*real time.*warnings +none" simulate --steps 50)
expect(0 "^$" simulate --steps 5 --quiet)
expect(0 "steps +20 .*wrote cli.csv" simulate cli_ball.xml --time 0.04 --csv cli.csv --svg cli.svg
       --picture cli_picture.svg --plot qpos:2,energy,ncon)
expect_file(cli.csv "time,qpos:0,qpos:1")
expect_file(cli.svg "<svg ")
expect_file(cli_picture.svg "<svg ")
expect(0 "steps +20" simulate --steps 20 --scalar float --ctrl noise --key squat --opt solver=PGS)
expect(0 "\"sizes\".*\"arrays\".*\"kind\": \"forward\"" inspect cli_ball.xml)
expect(0 "\"step\": 3.*\"time\": 1.002" inspect cli_ball.xml --data cli_dump.json)
expect(0 "wrote cli_ball.html" simulate cli_ball.xml --time 0.1 --html cli_ball.html --plot energy)
expect_file(cli_ball.html "<!doctype html>")
expect(2 "--interactive needs a page" simulate cli_ball.xml --interactive)
set(ENV{CORTEN_WASM} nowhere.wasm)
expect(2 "was not found .looked for nowhere.wasm.*--target corten_wasm" simulate cli_ball.xml --html cli_page.html
       --interactive)
unset(ENV{CORTEN_WASM})
expect(0 "" convert cli_ball.xml cli_still.glb)
expect_file(cli_still.glb "glTF")
expect(2 "--port needs a number" view cli_ball.xml --port many)
expect(2 "one model file" view cli_ball.xml cli_still.xml)
expect(2 "no keyframe" view cli_ball.xml --key home --no-browser)
expect(1 "nowhere.xml: cannot read the file" view nowhere.xml --no-browser)
expect(0 "wrote cli_ball.glb" simulate cli_ball.xml --time 0.1 --glb cli_ball.glb)
expect_file(cli_ball.glb "glTF")
expect(2 "--glb would overwrite the model" simulate cli_ball.xml --steps 1 --glb ./cli_ball.xml)
expect(0 "^$" inspect cli_ball.xml --model --out cli_model.json)
expect_file(cli_model.json "{")
expect(0 "[0-9]+ × solver_limit" simulate cli_ball.xml --time 0.6 --opt enable=strictsolver,iterations=0)
expect(0 "warnings +none" simulate cli_ball.xml --time 0.6 --opt iterations=0)
expect(0 "steps +3 .*wrote cli_still.svg" simulate cli_still.xml --steps 3 --svg cli_still.svg --csv cli_still.csv)

# ---- what a model consists of ---------------------------------------------------------------------------
file(WRITE cli_arm.xml "<mujoco model='arm'> stray <worldbody><geom name='ground' type='plane' size='1 1 1'/>
<body name='upper' pos='0 0 1'><joint name='shoulder' range='-90 90'/><geom size='.1' mass='2'/>
<body name='lower' pos='.5 0 0'><joint name='elbow' axis='1 0 0'/><geom name='hand' size='.1' mass='1'/></body></body>
<body name='stone' pos='0 2 .05'><freejoint/><geom name='stone' size='.1' mass='1'/></body></worldbody>
<actuator><motor name='bend' joint='elbow' gear='5'/></actuator>
<sensor><jointpos name='angle' joint='elbow'/></sensor><keyframe><key name='home'/></keyframe></mujoco>\n")
expect(0 "arm.*bodies +4 .*mass 4 kg.*├─ upper +2 +3 +shoulder .*│  └─ lower +1 +1 +elbow.*└─ stone" info cli_arm.xml)
expect(0 "shoulder +hinge +upper +0 +-1.571 … 1.571.*bend +joint elbow +fixed +none +none +5.*angle +jointpos +joint elbow"
       info cli_arm.xml)
expect(0 "home.*warnings.*cli_arm.xml:1:[0-9]+: .*text between elements.*ground and stone overlap by 0.05 m" info cli_arm.xml)
expect(0 "^joint +type" info cli_arm.xml --only joints)
expect(0 "warning: cli_arm.xml:1:[0-9]+: " simulate cli_arm.xml --steps 1)
expect(2 "there is no section 'joint' \\(did you mean 'joints'" info cli_arm.xml --only joint)
expect(2 "info needs one model file" info)

# ---- conversion: what is read again is the same model, wherever its files are -----------------------------
file(WRITE cli_part/meshes/tet.obj "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
file(WRITE cli_part/part.xml "<mujoco><compiler meshdir='meshes'/><asset><mesh name='tet' file='tet.obj'/></asset>
<worldbody><replicate count='3' offset='2 0 0'><body><freejoint/><geom type='mesh' mesh='tet'/></body></replicate>
</worldbody></mujoco>\n")
file(WRITE cli_whole.xml "<mujoco><include file='cli_part/part.xml'/><compiler meshdir='cli_part/meshes'/></mujoco>\n")
file(MAKE_DIRECTORY cli_out)
foreach(from cli_part/part.xml cli_whole.xml)
  expect(0 "^$" convert ${from} cli_out/flat.xml)
  expect(0 "^$" convert ${from} cli_out/first.bin)
  expect(0 "^$" convert cli_out/flat.xml cli_out/second.bin)
  expect(0 "^$" convert cli_out/first.bin cli_out/third --to compiled)
  foreach(other second.bin third)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files cli_out/first.bin cli_out/${other} RESULT_VARIABLE differ)
    if(differ)
      message("${from}: cli_out/${other} is not the same model")
      math(EXPR failures "${failures} + 1")
    endif()
  endforeach()
endforeach()
expect(0 "<mujoco.*cli_part/meshes/tet.obj" convert cli_part/part.xml - --to mjcf)
expect(0 "a compiled model.*bodies +4" info cli_out/first.bin)
expect(0 "steps +3 " simulate cli_out/first.bin --steps 3)
expect(0 "^$" convert cli_out/first.bin cli_back/again.xml)
expect(0 "^$" convert cli_back/again.xml cli_back/again.bin --bare)
expect(0 "^$" convert cli_out/first.bin cli_out/bare.bin --bare)
execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files cli_out/bare.bin cli_back/again.bin RESULT_VARIABLE differ)
if(differ OR NOT EXISTS "${CMAKE_CURRENT_BINARY_DIR}/cli_back/again_files/tet.obj")
  message("the model that was converted back is not the same")
  math(EXPR failures "${failures} + 1")
endif()
expect(1 "does not carry the MJCF text .*use the MJCF file" convert cli_out/bare.bin cli_out/back.xml)
expect(1 "has files, such as tet.obj.*name an output file" convert cli_out/first.bin - --to mjcf)
expect(1 "cli_cut.bin: compiled by another version" info cli_cut.bin)
expect(1 "cli_cut.bin: .*damaged" convert cli_cut.bin cli_out/back.xml)
expect(2 "does not say which format" convert cli_ball.xml ball.obj)
expect(2 "there is no format 'mjcg' \\(did you mean 'mjcf'" convert cli_ball.xml x --to mjcg)
expect(2 "the output would overwrite the model" convert cli_ball.xml ./cli_ball.xml)

# ---- speed ------------------------------------------------------------------------------------------------
expect(0 "steps/s.*data +[0-9 ]+ bytes.*stage +time +share.*kinematics +[0-9.]+ µs" bench cli_ball.xml --steps 20 --rounds 1)
expect(2 "--rounds needs a whole number above 0" bench cli_ball.xml --rounds 0)

# ---- manual, completion, colours, Ctrl-C ------------------------------------------------------------------
expect(0 "^.TH CORTEN 1 .*SS corten simulate.*steps" man)
expect(0 "compdef corten.*--scalar.double .default. or float.:TYPE:.double float" completion zsh)
expect(0 "complete -c corten .*-l scalar -x -a 'double float'" completion fish)
expect(2 "bash, zsh or fish" completion tcsh)
execute_process(COMMAND "${CORTEN}" --help OUTPUT_VARIABLE text)
string(ASCII 27 escape)
if(text MATCHES "${escape}")
  message("colours are written to a file")
  math(EXPR failures "${failures} + 1")
endif()

# completes the last of some words in bash
find_program(BASH bash)
function(expect_completion pattern)
  if(NOT BASH)
    return()
  endif()
  list(LENGTH ARGN count)
  math(EXPR last "${count} - 1")
  string(JOIN "' '" words ${ARGN})
  execute_process(
    COMMAND "${BASH}" -c "source <('${CORTEN}' completion bash); COMP_WORDS=('${words}'); COMP_CWORD=${last}; _corten
                          echo \"\${COMPREPLY[*]}\"" OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT text MATCHES "${pattern}")
    message("${ARGN} is completed by: ${text}\n  expected: ${pattern}")
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
  endif()
endfunction()
expect_completion("^simulate\n" corten sim)
expect_completion("^--scalar --svg\n|^--steps --scalar --svg\n" corten simulate --s)
expect_completion("^double\n" corten simulate --scalar d)
expect_completion("^fish\n" corten completion f)
expect_completion("^\n" corten simulate --csv cli) # by files

# Ctrl-C keeps what was recorded
find_program(TIMEOUT timeout)
if(TIMEOUT)
  foreach(seconds 0.5 3 20) # on a busy machine it may take a while to start
    execute_process(COMMAND "${TIMEOUT}" -s INT ${seconds} "${CORTEN}" simulate cli_ball.xml --time 100000 --csv
                            cli_cut.csv --svg cli_cut.svg OUTPUT_VARIABLE text)
    if(text MATCHES "interrupted after")
      break()
    endif()
  endforeach()
  if(NOT text MATCHES "interrupted after [0-9]+ of .*wrote cli_cut.csv")
    message("after Ctrl-C: ${text}")
    math(EXPR failures "${failures} + 1")
  endif()
  expect_file(cli_cut.csv "time,qpos:0,[^\n]*\n[^\n]*\n[^\n]*\n")
  expect_file(cli_cut.svg "<svg ")
endif()

# ---- what the user got wrong ---------------------------------------------------------------------------
expect(2 "corten COMMAND")
expect(2 "Type .corten simulate --help. for help" simulate --quiet=yes)
expect(2 "unknown command 'simulat' \\(did you mean 'simulate'" simulat)
expect(2 "unknown option '--stepz' \\(did you mean '--steps'" simulate --stepz 3)
expect(2 "--steps needs a value" simulate --steps)
expect(2 "--steps needs a whole number" simulate --steps many)
expect(2 "exclude each other" simulate --steps 3 --time 1)
expect(2 "--quiet takes no value" simulate --quiet=yes)
expect(2 "given twice" simulate --steps 3 --steps 4)
expect(2 "did you mean 'stumble'" simulate --key stumbel)
expect(2 "did you mean 'qpos'" simulate --svg cli.svg --plot qpoz)
expect(2 "side, front or top" simulate --from below)
expect(2 "hold, zero, sin or noise" simulate --ctrl square)
expect(2 "did you mean 'solver'" inspect cli_ball.xml --opt solvr=PGS)
expect(2 "one model file" inspect)

expect(2 "--csv would overwrite the model" simulate cli_ball.xml --steps 1 --csv ./cli_ball.xml)
expect(2 "--picture would overwrite --svg" simulate cli_ball.xml --steps 1 --svg cli_x.svg --picture ./cli_x.svg)
expect(2 "--out would overwrite the model" inspect cli_ball.xml --out cli_ball.xml)
expect(2 "option timestep: is not a positive number" simulate cli_ball.xml --opt timestep=0)

# ---- what is wrong with files ----------------------------------------------------------------------------
expect(1 "nowhere.xml: cannot read the file" simulate nowhere.xml)
expect(1 "cli_broken.xml:2:[0-9]+: .*'tpe'.*did you mean 'type'" simulate cli_broken.xml)
expect(1 "cli_broken.json:2:1: " inspect cli_ball.xml --data cli_broken.json)
expect(1 "nowhere/x.csv: cannot write the file" simulate --steps 1 --csv nowhere/x.csv)
expect(1 "nowhere/x.svg: cannot write the file" simulate --steps 1 --svg nowhere/x.svg)

if(failures GREATER 0)
  message(FATAL_ERROR "${failures} command line(s) failed")
endif()
