# SPDX-License-Identifier: MIT
"""Animation (anim-tools): import and export of animation for armatures, objects, shape keys and cameras."""

import os

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import exporting, importing, programs

bl_info = {
    "name": "Animation (anim-tools)", "author": "the anim-tools authors", "version": (1, 0, 0), "blender": (3, 3, 0),
    "location": "File > Import, File > Export", "category": "Import-Export",
    "description": "Import and export AnimJ, AnimX, VRMA, BVH, FBX, Godot, Unity, AMC, npz and VMD animation",
}

EXTENSIONS = (".animj", ".animx", ".anim", ".vrma", ".bvh", ".fbx", ".glb", ".gltf", ".tscn", ".tres", ".scn", ".res", ".escn", ".npz",
              ".amc", ".vmd", ".prefab", ".unitypackage", ".csv", ".json", ".axs", ".axt", ".gz")
FORMATS = (("animj", "AnimJ", "Resonite, as text"), ("animx", "AnimX", "Resonite, small"), ("vrma", "VRMA", "VRM animation"),
           ("glb", "glTF (.glb)", "One file"), ("gltf", "glTF (.gltf)", "Text"), ("bvh", "BVH", "Motion capture"), ("fbx", "FBX", "Autodesk"),
           ("tres", "Godot library (.tres)", "Animation or AnimationLibrary"), ("tscn", "Godot scene (.tscn)", "Scene with an AnimationPlayer"),
           ("anim", "Unity (.anim)", "Clip of Unity, for each action a file"), ("vmd", "VMD", "MikuMikuDance"), ("csv", "CSV", "Table"),
           ("json", "JSON", "Values as text"), ("axs", "Stream (.axs)", "For the programs of anim-tools"))


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    programs: StringProperty(name="Folder of the programs", subtype="DIR_PATH", description="Folder with the program anim of anim-tools. "
                             "Empty: the variable ANIM_TOOLS, PATH and the usual places are searched")

    def draw(self, context):
        self.layout.prop(self, "programs")
        try:
            found = programs.find(self.programs)
            self.layout.label(text=f"{programs.run(found, '--version')[0]}: {found}", icon="CHECKMARK")
            if importing.library(found) is None:
                self.layout.label(text="libanim was not found: curves are sampled four times per frame", icon="INFO")
        except programs.Error as error:
            self.layout.label(text=str(error), icon="ERROR")


def chosen_folder():
    addon = bpy.context.preferences.addons.get(__package__)
    return addon.preferences.programs if addon else ""


# The properties of both dialogs come from tables. Their tooltips are the texts of `anim convert --help all`.
def add_options(cls, texts, table):
    for attribute, option, kind, label in table:
        text = texts.get(option, f"The option {option} of anim convert")
        make = BoolProperty if kind == "bool" else StringProperty
        extra = {"subtype": "FILE_PATH"} if kind == "file" else {}
        cls.__annotations__[attribute] = make(name=label, description=f"{text} ({option})", **extra)
    cls.__annotations__["further"] = StringProperty(name="Further options", description="Any other options of anim convert, as in a shell")


def draw_options(layout, source, table, title):
    box = layout.box()
    box.label(text=title)
    for attribute, _, _, _ in table:
        box.prop(source, attribute)


def report(operator, lines):
    for line in lines:
        operator.report({"WARNING"} if ": warning: " in line else {"INFO"}, line)


class ImportAnimation(bpy.types.Operator, ImportHelper):
    """Import animation onto the active armature, mesh, camera or object, or with a new armature"""
    bl_idname = "import_scene.anim_tools"
    bl_label = "Import animation"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filter_glob: StringProperty(default=";".join("*" + ending for ending in EXTENSIONS), options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    to_active: BoolProperty(name="Onto the active object", default=True, description="Retarget the clips to the active armature, or animate the "
                            "active mesh, camera or object. Otherwise a new armature is made")
    set_range: BoolProperty(name="Set the frame range", default=True, description="Set the start and the end of the scene to the first clip")

    def draw(self, context):
        self.layout.prop(self, "to_active")
        self.layout.prop(self, "set_range")
        draw_options(self.layout, self, programs.READING, "Read")
        draw_options(self.layout, self, programs.FITTING, "Fit to the armature")
        draw_options(self.layout, self, programs.EDITING, "Edit")
        self.layout.prop(self, "further")

    def execute(self, context):
        paths = [os.path.join(self.directory, file.name) for file in self.files if file.name] or [self.filepath]
        made, manager = [], context.window_manager
        manager.progress_begin(0, len(paths))
        try:
            program = programs.find(chosen_folder())
            words = programs.arguments(self, programs.READING) + programs.words(self.further)
            fitting, editing = (programs.arguments(self, table) for table in (programs.FITTING, programs.EDITING))
            for i, path in enumerate(paths):
                manager.progress_update(i)
                clips, told = importing.import_file(context, program, path, words, fitting, editing, self.to_active)
                made += clips
                report(self, told)
        except programs.Error as error:
            self.report({"ERROR"}, str(error))
            return {"FINISHED"} if made else {"CANCELLED"}
        finally:
            manager.progress_end()
        if self.set_range:
            context.scene.frame_start, context.scene.frame_end = int(made[-1][1]), max(int(-(-made[-1][2] // 1)), 1)
        self.report({"INFO"}, f"{len(made)} clip{'s' if len(made) != 1 else ''} imported: {', '.join(clip[0] for clip in made[:5])}")
        return {"FINISHED"}


class ExportAnimation(bpy.types.Operator, ExportHelper):
    """Export actions or NLA strips of the active object to any format of anim-tools"""
    bl_idname = "export_scene.anim_tools"
    bl_label = "Export animation"
    bl_options = {"REGISTER", "PRESET"}

    filename_ext = ""
    check_extension = None
    filter_glob: StringProperty(default="*", options={"HIDDEN"})
    format: EnumProperty(name="Format", items=FORMATS, default="glb")
    what: EnumProperty(name="Clips", default="ACTIVE", items=(
        ("ACTIVE", "Active action", "The current action"), ("ALL", "All actions", "Each action that has curves for this object"),
        ("NLA", "NLA strips", "Each NLA track, as it plays alone"), ("SCENE", "Scene", "The range of the scene, with all that moves the object")))
    sampled: BoolProperty(name="Sample", default=False, description="Sample each frame, with constraints, drivers and inverse kinematics. "
                          "Otherwise curves stay curves if nothing else moves the bones")

    def check(self, context):
        changed = super().check(context) if self.check_extension else False
        wanted = os.path.splitext(self.filepath)[0] + "." + self.format
        if self.filepath != wanted and os.path.basename(self.filepath):
            self.filepath, changed = wanted, True
        return changed

    def draw(self, context):
        for name in ("format", "what", "sampled"):
            self.layout.prop(self, name)
        draw_options(self.layout, self, programs.WRITING, "Write")
        draw_options(self.layout, self, programs.EDITING, "Edit")
        self.layout.prop(self, "further")

    def execute(self, context):
        try:
            program = programs.find(chosen_folder())
            words = programs.arguments(self, programs.WRITING + programs.EDITING) + programs.words(self.further)
            told = exporting.export_file(context, program, self.filepath, self.format, self.what, self.sampled, words)
        except programs.Error as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        report(self, told)
        self.report({"INFO"}, f"{os.path.basename(self.filepath)} is written")
        return {"FINISHED"}


handlers = []
if hasattr(bpy.types, "FileHandler"):  # 4.1 and later: files that are dropped into the window
    class DroppedFiles(bpy.types.FileHandler):
        bl_idname = "ANIM_TOOLS_FH_import"
        bl_label = "Animation (anim-tools)"
        bl_import_operator = "import_scene.anim_tools"
        bl_file_extensions = ".animj;.animx;.anim;.vrma;.npz;.amc;.vmd;.tscn;.tres;.axs"

        @classmethod
        def poll_drop(cls, context):
            return context.area is not None and context.area.type == "VIEW_3D"

    handlers.append(DroppedFiles)


def menu_import(self, _):
    self.layout.operator(ImportAnimation.bl_idname, text="Animation (anim-tools)")


def menu_export(self, _):
    self.layout.operator(ExportAnimation.bl_idname, text="Animation (anim-tools)")


def register():
    bpy.utils.register_class(Preferences)
    try:
        texts = programs.help_texts(programs.find(chosen_folder()))
    except programs.Error:
        texts = {}
    add_options(ImportAnimation, texts, programs.READING + programs.FITTING + programs.EDITING)
    add_options(ExportAnimation, texts, programs.WRITING + programs.EDITING)
    for cls in (ImportAnimation, ExportAnimation, *handlers):
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_import.append(menu_import)
    bpy.types.TOPBAR_MT_file_export.append(menu_export)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu_import)
    bpy.types.TOPBAR_MT_file_export.remove(menu_export)
    for cls in (*reversed(handlers), ExportAnimation, ImportAnimation, Preferences):
        bpy.utils.unregister_class(cls)
